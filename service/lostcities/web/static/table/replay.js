// Steps through a finished game: the controls, and the game as it was at each version.

import { h } from "./dom.js";
import { icon } from "./pieces.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */

/** Milliseconds between two events that are played. */
const STEP = 900;

export class Replay {
  /** The game at each version that was asked for. @type {Map<number, Promise<Game>>} */
  #known = new Map();
  /** The version that the player asked for last. */
  #wanted = 0;
  #drawn = 0;
  #playing = 0;

  /**
   * @param {import("./api.js").Api} api
   * @param {string} path
   * @param {object} finished
   * @param {HistoryEvent[]} finished.events All of them.
   * @param {(version: number) => string} finished.caption What happened at a version.
   * @param {(game: Game, between: HistoryEvent[]) => void} finished.show Draws the game as it was, after some events.
   * @param {(error: unknown) => void} finished.fail
   */
  constructor(api, path, { events, caption, show, fail }) {
    const version = events.length;
    this.api = api;
    this.path = path;
    this.events = events;
    this.last = version;
    this.caption = caption;
    this.show = show;
    this.fail = fail;
    [this.#wanted, this.#drawn] = [version, version];
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: version,
      value: version,
      "aria-label": t("Event"),
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.text = h("output", { class: "caption" });
    this.button = control("forward", t("Play the game"), () => this.#toggle());
    this.back = [
      control("first", t("To the start"), () => this.go(0)),
      control("back", t("One event back"), () => this.go(this.#wanted - 1)),
    ];
    this.forward = [
      control("step", t("One event forward"), () => this.go(this.#wanted + 1)),
      control("last", t("To the end"), () => this.go(this.last)),
    ];
    this.element = h(
      "section",
      { class: "replay", "aria-label": t("Step through the game") },
      h("div", { class: "controls" }, ...this.back, this.button, this.slider, ...this.forward),
      this.text,
    );
    this.#label(version);
  }

  /** Show the game at a version. This ends playing. @param {number} version */
  go(version) {
    this.#stop();
    return this.#show(version);
  }

  /** The game at a version. @param {number} version @returns {Promise<Game>} */
  at(version) {
    const known = this.#known.get(version) ?? this.api.get(this.path, { query: { version, include: "score" } });
    this.#known.set(version, known);
    known.catch(() => this.#known.delete(version));
    return known;
  }

  /** @param {number} version */
  async #show(version) {
    if (version < 0 || version > this.last) return;
    this.#wanted = version;
    this.#label(version);
    try {
      const game = await this.at(version);
      // The player may have gone on meanwhile.
      if (this.#wanted !== version) return;
      const between = this.#drawn < version ? this.events.slice(this.#drawn, version) : [];
      this.#drawn = version;
      this.show(game, between);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Play from here, or from the start at the end, until it is stopped. */
  #toggle() {
    if (this.#playing) return this.#stop();
    if (this.#wanted === this.last) this.#show(0);
    this.#playing = setInterval(() => {
      if (this.#wanted === this.last || !this.element.isConnected) this.#stop();
      else this.#show(this.#wanted + 1);
    }, STEP);
    this.#name();
  }

  #stop() {
    clearInterval(this.#playing);
    this.#playing = 0;
    this.#name();
  }

  #name() {
    this.button.setAttribute("aria-label", this.#playing ? t("Pause") : t("Play the game"));
    this.button.replaceChildren(icon(this.#playing ? "pause" : "forward"));
  }

  /** @param {number} version */
  #label(version) {
    const text = t("{version} of {last}: {event}", { version, last: this.last, event: this.caption(version) });
    this.slider.value = String(version);
    this.slider.setAttribute("aria-valuetext", text);
    this.text.textContent = text;
    // A disabled button would lose the focus.
    for (const button of this.back) button.setAttribute("aria-disabled", String(version === 0));
    for (const button of this.forward) button.setAttribute("aria-disabled", String(version === this.last));
  }
}

/** @param {string} shape @param {string} label @param {() => void} onclick */
const control = (shape, label, onclick) =>
  h("button", { class: "button", type: "button", "aria-label": label, onclick }, icon(shape));

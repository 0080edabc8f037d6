// Steps through a finished game: the controls, and the game as it was at each version.

import { h } from "./dom.js";
import { icon } from "./pieces.js";

/** @typedef {import("./types.js").Game} Game */

export class Replay {
  /** The game at each version that was shown. @type {Map<number, Game>} */
  #known = new Map();
  /** The version that the player asked for last. */
  #wanted = 0;

  /**
   * @param {import("./api.js").Api} api
   * @param {string} path
   * @param {object} finished
   * @param {number} finished.version The last version.
   * @param {(version: number) => string} finished.caption What happened at a version.
   * @param {(game: Game) => void} finished.show Draws the game as it was.
   * @param {(error: unknown) => void} finished.fail
   */
  constructor(api, path, { version, caption, show, fail }) {
    this.api = api;
    this.path = path;
    this.last = version;
    this.caption = caption;
    this.show = show;
    this.fail = fail;
    this.#wanted = version;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: version,
      value: version,
      "aria-label": "Event",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.text = h("output", { class: "caption" });
    this.back = [
      control("first", "To the start", () => this.go(0)),
      control("back", "One event back", () => this.go(this.#wanted - 1)),
    ];
    this.forward = [
      control("forward", "One event forward", () => this.go(this.#wanted + 1)),
      control("last", "To the end", () => this.go(this.last)),
    ];
    this.element = h(
      "section",
      { class: "replay", "aria-label": "Step through the game" },
      h("div", { class: "controls" }, ...this.back, this.slider, ...this.forward),
      this.text,
    );
    this.#label(version);
  }

  /** Show the game at a version. @param {number} version */
  async go(version) {
    if (version < 0 || version > this.last) return;
    this.#wanted = version;
    this.#label(version);
    try {
      const game = this.#known.get(version) ?? (await this.#fetch(version));
      // The player may have gone on meanwhile.
      if (this.#wanted === version) this.show(game);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {number} version */
  async #fetch(version) {
    const game = await this.api.get(this.path, { query: { version, include: "score" } });
    this.#known.set(version, game);
    return game;
  }

  /** @param {number} version */
  #label(version) {
    const text = `${version} of ${this.last}: ${this.caption(version)}`;
    this.slider.value = String(version);
    this.slider.setAttribute("aria-valuetext", text);
    this.text.textContent = text;
    // A disabled button would lose the focus.
    for (const button of this.back) button.setAttribute("aria-disabled", String(version === 0));
    for (const button of this.forward) button.setAttribute("aria-disabled", String(version === this.last));
  }
}

/** @param {string} shape @param {string} label @param {() => void} onclick */
const control = (shape, label, onclick) => h("button", { class: "button", "aria-label": label, onclick }, icon(shape));

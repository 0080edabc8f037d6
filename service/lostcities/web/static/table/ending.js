// The end of a game: the winners, what to do next, the review of the moves, and the verification of chance.

import { hosting, watching } from "./address.js";
import { h } from "./dom.js";
import { ALGORITHM, canVerify, verify } from "./fairness.js";
import { load } from "./games/index.js";
import { firstCommitment, remember } from "./memory.js";
import { refuse } from "./refusals.js";
import { Review } from "./review.js";
import { t } from "./texts.js";
import { list, signed } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Chair} Chair */
/** @typedef {import("./fairness.js").Check} Check */

/**
 * @typedef {object} Finish
 * @property {Chair[] | null} chairs How the seats were played, if this browser created the game.
 * @property {import("./games/index.js").GameModule} module
 * @property {import("./replay.js").Replay | null} replay
 * @property {string} [token] A token of the game: only those who have one get advice.
 */

export class Ending {
  #shown = false;

  /** @param {import("./api.js").Api} api @param {string} path */
  constructor(api, path) {
    this.api = api;
    this.path = path;
  }

  /**
   * Show the end of the game. Later calls do nothing.
   * @param {HTMLElement} place
   * @param {Scene} scene
   * @param {Finish} finish
   */
  async show(place, scene, { chairs, module, replay, token }) {
    if (this.#shown) return;
    this.#shown = true;
    const verdict = h("span", { "aria-hidden": "true" });
    const checks = h("ul", { class: "checks" }, h("li", {}, t("Checking every deal, draw and roll…")));
    const review = replay && new Review(this.api, this.path, { scene, module, replay, token });
    place.replaceChildren(
      ...outcome(scene),
      h("div", { class: "tools" }, chairs ? this.#rematch(scene, chairs) : "", share(scene.game.id)),
      review?.element ?? "",
      h(
        "details",
        { class: "panel fairness" },
        h("summary", {}, h("h2", {}, t("Was chance fair?"), " ", verdict)),
        h("p", { class: "due" }, explained()),
        checks,
      ),
    );
    const found = await this.#check(scene).catch((error) => [
      { text: t("Chance could not be checked: {reason}", { reason: error.message }), ok: null },
    ]);
    checks.replaceChildren(...found.map(line));
    const isBad = found.some(({ ok }) => ok === false);
    verdict.className = isBad ? "bad" : "good";
    verdict.textContent = isBad ? "✗" : found.some(({ ok }) => ok) ? "✓" : "";
    // What is wrong is shown at once.
    verdict.closest("details")?.toggleAttribute("open", isBad);
  }

  /** The same players, each one seat further. @param {Scene} scene @param {Chair[]} chairs */
  #rematch({ game, about }, chairs) {
    const create = async () => {
      const turned = (/** @type {any[]} */ each) => [...each.slice(1), each[0]];
      const names = turned(game.players);
      const kinds = turned(chairs).map(({ kind }) => kind);
      // A bot that played on for a seat that had resigned is no player of the next game.
      const bots = turned(game.bots).map((level, seat) => (kinds[seat] === "bot" ? level : null));
      const players = names.map((name, seat) => (bots[seat] ? { name, bot: bots[seat] } : name));
      const { variant, options, turn_seconds, on_timeout } = game;
      const limit = turn_seconds === null ? {} : { turn_seconds, on_timeout };
      const { id, tokens } = await this.api.post("games", { variant, players, options, ...limit });
      const next = kinds.map((kind, seat) => ({ kind, token: tokens.seats[seat] ?? undefined }));
      remember({ id, variant, title: about.title, players: names, chairs: next, host: tokens.host });
      location.hash = hosting(id);
    };
    return h("button", { class: "button primary", onclick: () => create().catch(refuse) }, t("Play again, seats swapped"));
  }

  /** @param {Scene} scene @returns {Promise<Check[]>} */
  async #check({ game, about, events }) {
    const { algorithm, seed, seed_from } = await this.api.get(`${this.path}/fairness`);
    const not = (/** @type {string} */ text) => [{ text, ok: null }];
    if (game.chance === "client") return not(t("The host gave the cards and dice: there is nothing to check."));
    if (algorithm !== ALGORITHM || !seed) return not(t("This page checks {ours}, not {algorithm}.", { ours: ALGORITHM, algorithm }));
    if (!canVerify()) return not(t("Browsers allow this check only over HTTPS."));
    const start = await this.api.get(this.path, { query: { version: 0 } });
    const { chance } = await load(game.variant);
    const procedure = chance?.(start, about);
    return verify({ events, seed, commitment: firstCommitment(game), from: seed_from ?? 0, procedure });
  }
}

const explained = () =>
  t("Before the first move the service chose a secret number (the seed), from which all cards and dice follow, and published its fingerprint (the commitment). Now the number is public, and your browser checks that everything follows from it.");

/** A button that shares the link to the finished game. @param {string} id */
function share(id) {
  const url = watching(id);
  const send = async () => {
    if (navigator.share) return navigator.share({ url });
    await navigator.clipboard?.writeText(url);
    button.textContent = t("Link copied");
  };
  const button = h("button", { class: "button", onclick: () => send().catch(() => {}) }, t("Share this game"));
  return button;
}

/** @param {Check} check */
function line({ text, ok }) {
  const [name, mark] = ok === null ? ["unchecked", "–"] : ok ? ["good", "✓"] : ["bad", "✗"];
  return h("li", { class: name }, h("span", { "aria-hidden": "true" }, mark), ` ${text}`);
}

/** @param {Scene} scene */
function outcome({ game, about }) {
  if (!game.outcome) return [];
  const { winners, totals, reason } = game.outcome;
  const names = winners.map((seat) => game.players[seat]);
  const why = about.endings.find((ending) => ending.reason === reason)?.text ?? reason;
  const standing = game.players.map((name, seat) => `${name} ${signed(totals[seat])}`).join(" · ");
  const won =
    names.length === 0
      ? t("No winner")
      : names.length === 1
        ? t("{name} wins", { name: names[0] })
        : t("{names} share the win", { names: list(names) });
  return [
    h("p", { class: "winner" }, won),
    h("p", {}, standing),
    h("p", { class: "due" }, t("The game ended because {reason}.", { reason: why })),
  ];
}

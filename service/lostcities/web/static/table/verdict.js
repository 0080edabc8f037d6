// The end of a game: the winners, and the verification of chance.

import { fill, h } from "./dom.js";
import { ALGORITHM, canVerify, verify } from "./fairness.js";
import { load } from "./games/index.js";
import { firstCommitment } from "./memory.js";
import { list, signed } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./fairness.js").Check} Check */

export class Verdict {
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
   * @param {import("./types.js").HistoryEvent[]} events
   */
  async show(place, scene, events) {
    if (this.#shown) return;
    this.#shown = true;
    const checks = h("ul", { class: "checks" }, h("li", {}, "Checking every deal, draw and roll…"));
    fill(
      place,
      ...outcome(scene),
      h("section", { class: "fairness", "aria-label": "Fairness" }, h("h2", {}, "Was chance fair?"), checks),
    );
    const found = await this.#check(scene, events).catch((error) => [
      { text: `Chance could not be verified: ${error.message}`, ok: null },
    ]);
    fill(checks, ...found.map(line));
  }

  /** @param {Scene} scene @param {import("./types.js").HistoryEvent[]} events @returns {Promise<Check[]>} */
  async #check({ game, about }, events) {
    const { algorithm, seed, seed_from } = await this.api.get(`${this.path}/fairness`);
    const not = (/** @type {string} */ text) => [{ text, ok: null }];
    if (game.chance === "client") return not("The host supplied the outcomes of chance: nothing to verify.");
    if (algorithm !== ALGORITHM || !seed) return not(`This page supports ${ALGORITHM}, not ${algorithm}.`);
    if (!canVerify()) return not("Browsers allow this check only over HTTPS.");
    const start = await this.api.get(this.path, { query: { version: 0 } });
    const { chance } = await load(game.variant);
    const procedure = chance?.(start, about);
    return verify({ events, seed, commitment: firstCommitment(game), from: seed_from ?? 0, procedure });
  }
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
  return [
    h(
      "p",
      { class: "winner" },
      names.length ? `${list(names)} ${names.length > 1 ? "share the win" : "wins"}` : "No winner",
    ),
    h("p", {}, standing),
    h("p", { class: "due" }, `The game ended because ${why}.`),
  ];
}

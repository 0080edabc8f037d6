// Hints: what each legal move is worth, as the service's best bot estimates it.

import { h } from "./dom.js";
import { sentence, signed, spell } from "./words.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {Move & {value: number, error: number}} ValuedMove */
/** @typedef {{rank: number, value: number, isRough: boolean}} Estimate */

/** An estimate is rough if its standard error is so many times that of the best move: few playouts tried the move. */
const ROUGH = 1.5;

export class Hints {
  /** By the notation of the move, the best first. @type {Map<string, Estimate>} */
  #estimates = new Map();

  /** @param {import("./api.js").Api} api @param {string} path */
  constructor(api, path) {
    this.api = api;
    this.path = path;
  }

  /** Get the values of a seat's moves. @param {string} [token] @returns {Promise<number>} The version they are for. */
  async ask(token) {
    /** @type {{version: number, moves: ValuedMove[]}} */
    const { version, moves } = await this.api.get(`${this.path}/advice`, { token });
    const limit = ROUGH * moves[0].error;
    this.#estimates = new Map(
      moves.map(({ notation, value, error }, rank) => [notation, { rank, value, isRough: error > limit }]),
    );
    return version;
  }

  clear() {
    this.#estimates.clear();
  }

  get areShown() {
    return this.#estimates.size > 0;
  }

  /** The moves, the best first if their values are known. @param {Move[]} moves */
  sorted(moves) {
    const rank = (/** @type {Move} */ { notation }) => this.#estimates.get(notation)?.rank ?? 0;
    return [...moves].sort((a, b) => rank(a) - rank(b));
  }

  /** The value of the best of some moves as text, or "" if it is unknown. @param {Move[]} moves */
  text(moves) {
    const best = this.#best(moves);
    if (!best) return "";
    const { value, isRough } = best;
    return `${isRough ? "≈" : ""}${value > 0 ? "+" : ""}${signed(value.toFixed(isRough ? 0 : 1))}`;
  }

  /** The value of the best of some moves as a badge. @param {Move[]} moves */
  badge(moves) {
    const best = this.#best(moves);
    if (!best) return null;
    const kind = best.rank === 0 ? " best" : best.isRough ? " rough" : "";
    return h("span", { class: `worth${kind}`, "aria-hidden": "true" }, this.text(moves));
  }

  /** What the values mean. @param {import("./types.js").About} about */
  explanation(about) {
    const [best] = this.#estimates.keys();
    if (!best) return null;
    return h(
      "p",
      { class: "hint" },
      h("b", {}, `Best: ${sentence(spell(best, about))}.`),
      " The number beside a move is the lead in points with which you can expect to finish after it; below 0 you are behind. Numbers with ≈ are rough guesses.",
    );
  }

  /** @param {Move[]} moves @returns {Estimate | undefined} */
  #best(moves) {
    return this.sorted(moves)
      .map(({ notation }) => this.#estimates.get(notation))
      .find((estimate) => estimate);
  }
}

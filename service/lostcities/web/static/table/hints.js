// Hints: what each legal move is worth, as the service's best bot estimates it.

import { h } from "./dom.js";
import { t } from "./texts.js";
import { signed } from "./words.js";

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

  /** The notation of the best move, if values are shown. */
  get best() {
    return [...this.#estimates.keys()][0];
  }

  /** The moves, the best first if their values are known. @param {Move[]} moves */
  sorted(moves) {
    const rank = (/** @type {Move} */ { notation }) => this.#estimates.get(notation)?.rank ?? 0;
    return [...moves].sort((a, b) => rank(a) - rank(b));
  }

  /**
   * The values of some moves as text: "play 12 · discard −3". Of moves with the same name only the best. "" if unknown.
   * @param {Move[]} moves
   * @param {(move: Move) => string} name
   */
  text(moves, name) {
    return this.#named(moves, name)
      .map(([verb, { value }]) => [verb, whole(value)].filter(Boolean).join(" "))
      .join(" · ");
  }

  /** The values of some moves as a badge. @param {Move[]} moves @param {(move: Move) => string} name */
  badge(moves, name) {
    const named = this.#named(moves, name);
    if (named.length === 0) return null;
    const values = named.map(([verb, { rank, value, isRough }]) =>
      h("span", { class: rank === 0 ? "best" : isRough ? "rough" : "" }, [verb, whole(value)].filter(Boolean).join(" ")),
    );
    return h("span", { class: "worth", "aria-hidden": "true" }, ...values.flatMap((each) => [" · ", each]).slice(1));
  }

  /** @param {Move[]} moves @param {(move: Move) => string} name @returns {[string, Estimate][]} */
  #named(moves, name) {
    /** @type {Map<string, Estimate>} */
    const named = new Map();
    for (const move of this.sorted(moves)) {
      const estimate = this.#estimates.get(move.notation);
      if (estimate && !named.has(name(move))) named.set(name(move), estimate);
    }
    return [...named];
  }
}

/** What the numbers mean. */
export const meaning = () =>
  t("Numbers: your expected lead at the end. Faint: rough guesses.");

/** A value without a fraction: its error is larger. @param {number} value */
const whole = (value) => signed(Math.round(value) || 0);

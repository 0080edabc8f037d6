// What a tap on the board does: choose a piece, make a move, offer the moves of a place, or say why nothing happens.

import { render, h } from "./dom.js";
import { explain } from "./refusals.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Look} Look */
/** @typedef {{moves: Move[], look: Look}} Spot */

export class Taps {
  /** The drawn spots, by key. @type {Map<string, Spot>} */
  #spots = new Map();
  /** The piece that was chosen. @type {{key: string, moves: Move[]} | null} */
  #chosen = null;
  /** The place whose moves are offered, by its key. @type {string | null} */
  #offered = null;
  /** The spot of the move that is being made, by its key. @type {string | null} */
  #made = null;
  /** A spot that was tapped while a move was being made. @type {string | null} */
  #next = null;
  /** The move that is being made. @type {Promise<void> | null} */
  making = null;

  /**
   * @param {object} table
   * @param {(move: Move) => Promise<void>} table.make
   * @param {(notation: string) => Promise<{text: string, rule?: string} | null>} table.judge Why a move is illegal.
   * @param {() => string} table.waiting Why the viewer cannot move now, or "".
   * @param {() => void} table.redraw
   */
  constructor(table) {
    this.table = table;
  }

  /** Forget what was chosen: the game went on. */
  clear() {
    [this.#chosen, this.#offered] = [null, null];
  }

  /** Begin a new drawing. */
  begin() {
    this.#spots.clear();
  }

  /** @param {Move[]} moves @param {Look} look */
  add(moves, look) {
    this.#spots.set(look.key, { moves, look });
  }

  /** @param {string} key */
  isChosen(key) {
    return this.#chosen?.key === key;
  }

  /** Whether the chosen piece can go to a place. @param {Move[]} moves */
  isGoal(moves) {
    return this.#chosen !== null && this.#common(moves).length > 0;
  }

  /** The moves between which the player chooses now. */
  get offered() {
    const place = this.#offered === null ? undefined : this.#spots.get(this.#offered);
    if (place) return this.isGoal(place.moves) ? this.#common(place.moves) : place.moves;
    return this.#chosen?.moves ?? [];
  }

  /** Take the choice back. @returns {boolean} Whether there was one. */
  cancel() {
    const had = this.#chosen !== null || this.#offered !== null;
    this.clear();
    if (had) this.table.redraw();
    return had;
  }

  /** A piece was dragged to a place. @param {string} piece @param {string} place */
  async drop(piece, place) {
    const moves = this.#spots.get(piece)?.moves ?? [];
    if (moves.length === 0) return this.tap(piece);
    this.#chosen = { key: piece, moves };
    await this.tap(place);
  }

  /** @param {string} key */
  async tap(key) {
    const spot = this.#spots.get(key);
    if (!spot) return;
    if (this.#made !== null) {
      // A double click is no second move. Another tap is obeyed when the answer is there.
      if (key !== this.#made) this.#next = key;
      return;
    }
    const waiting = this.table.waiting();
    if (waiting) return explain(waiting);
    const { moves, look } = spot;
    if (look.part === "piece" && moves.length > 0) return this.#choose(key, moves);
    const common = this.#common(moves);
    const isMeant = common.length > 0 || (look.part === "place" && this.#chosen !== null);
    const possible = isMeant ? common : moves;
    if (possible.length === 1 && (isMeant || look.part !== "place")) return this.make(possible[0], key);
    if (possible.length === 0) return this.#explain(look);
    this.#offered = key;
    this.table.redraw();
  }

  /** @param {Move} move @param {string} key The spot that was tapped. */
  async make(move, key) {
    if (this.#made !== null) return;
    this.#made = key;
    this.making = this.table.make(move);
    try {
      await this.making;
    } finally {
      [this.#made, this.making] = [null, null];
    }
    const next = this.#next;
    this.#next = null;
    if (next !== null) await this.tap(next);
  }

  /** @param {string} key @param {Move[]} moves */
  #choose(key, moves) {
    this.#offered = null;
    this.#chosen = this.isChosen(key) ? null : { key, moves };
    this.table.redraw();
  }

  /** The moves that the chosen piece shares with a place. @param {Move[]} moves */
  #common(moves) {
    return moves.filter(({ notation }) => this.#chosen?.moves.some((move) => move.notation === notation));
  }

  /** Say why a tap does nothing. @param {Look} look */
  async #explain({ why, means }) {
    const notation = means?.(this.#chosen?.key ?? "");
    const refusal = notation ? await this.table.judge(notation) : null;
    if (refusal) explain(refusal.text, refusal.rule);
    else explain(why ?? t("Nothing can be done here now."));
  }
}

/** Pixels after which a press is a drag. */
const DRAGGED = 8;

/**
 * Let pieces be dragged to places: elements with `data-drag` to elements with `data-key`.
 * @param {HTMLElement} root
 * @param {Taps} taps
 * @param {AbortSignal} signal
 */
export function dragging(root, taps, signal) {
  root.addEventListener(
    "pointerdown",
    (press) => {
      const piece = press.target instanceof Element ? press.target.closest("[data-drag]") : null;
      if (!(piece instanceof HTMLElement) || press.button !== 0) return;
      /** @type {HTMLElement | null} */
      let ghost = null;
      const over = new AbortController();
      const listening = { signal: AbortSignal.any([over.signal, signal]) };
      const move = (/** @type {PointerEvent} */ event) => {
        const [dx, dy] = [event.clientX - press.clientX, event.clientY - press.clientY];
        if (!ghost && Math.hypot(dx, dy) > DRAGGED) ghost = shadow(piece);
        if (ghost) ghost.style.translate = `${dx}px ${dy}px`;
      };
      const end = (/** @type {PointerEvent} */ event) => {
        over.abort();
        if (!ghost) return;
        ghost.remove();
        const place = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-tap]");
        if (event.type === "pointerup" && place instanceof HTMLElement && place !== piece) {
          taps.drop(piece.dataset.key ?? "", place.dataset.key ?? "");
        }
      };
      document.addEventListener("pointermove", move, listening);
      document.addEventListener("pointerup", end, listening);
      document.addEventListener("pointercancel", end, listening);
    },
    { signal },
  );
}

/** A copy of a piece that follows the pointer. @param {HTMLElement} piece */
function shadow(piece) {
  const { left, top, width, height } = piece.getBoundingClientRect();
  const ghost = h("div", { class: "ghost", "aria-hidden": "true" });
  render(ghost, ...[...piece.childNodes].map((each) => each.cloneNode(true)));
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  document.body.append(ghost);
  return ghost;
}

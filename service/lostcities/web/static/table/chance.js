// How outcomes follow from picks: what the games share. Each game's module exports `chance`, which returns its procedure.

/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */
/** @typedef {(n: number) => Promise<number>} Pick */

/**
 * @typedef {object} Procedure
 * @property {(pick: Pick) => Promise<string>} next The notation of the outcome that is due.
 * @property {(event: HistoryEvent) => void} note Take notice of an event.
 */

/**
 * Picked one after the other without putting back.
 * @param {string[]} from @param {number} count @param {Pick} pick
 */
export async function take(from, count, pick) {
  const taken = [];
  while (taken.length < count) taken.push(...from.splice(await pick(from.length), 1));
  return taken;
}

/** Dice, in the order of their faces. @template T @param {T[]} faces @param {number} dice @param {Pick} pick */
export async function roll(faces, dice, pick) {
  const shown = [];
  while (shown.length < dice) shown.push(await pick(faces.length));
  return shown.sort((a, b) => a - b).map((face) => faces[face]);
}

/** @param {string[]} cards @param {string[]} order */
export const inOrder = (cards, order) => cards.sort((a, b) => order.indexOf(a) - order.indexOf(b));

/** The cards that are left, each taken away as often as it is named. @param {string[]} cards @param {unknown} gone */
export function without(cards, gone) {
  const left = [...cards];
  for (const card of named(gone)) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** Every card that is named anywhere in there. @param {any} lying @returns {string[]} */
export function named(lying) {
  if (typeof lying === "string") return [lying];
  return Object.values(lying).flatMap(named);
}

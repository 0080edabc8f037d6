// A bot for all variants. It chooses a random type of the legal moves, then a random move of that type.

/** @typedef {import("./types.js").Move} Move */

/**
 * The type is chosen first. Otherwise a type with many moves, such as a bid, would be chosen almost always.
 * @param {Move[]} moves
 * @returns {Move}
 */
export function decide(moves) {
  const kinds = [...new Set(moves.map((move) => move.type))];
  const kind = any(kinds);
  return any(moves.filter((move) => move.type === kind));
}

/** @template T @param {T[]} things @returns {T} */
const any = (things) => things[Math.floor(Math.random() * things.length)];

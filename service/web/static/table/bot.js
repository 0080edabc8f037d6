// A bot that knows no game: it takes any kind of move that is legal, and any move of that kind.

/** @typedef {import("./types.js").Move} Move */

/**
 * Choosing the kind first keeps one with many moves, like a bid of so many coins, from crowding out the others.
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

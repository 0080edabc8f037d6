// A bot for all variants. It chooses a random type of the legal moves, then a random move of that type.

import { sleep } from "./api.js";

/** @typedef {import("./types.js").Move} Move */

/** Milliseconds before a bot moves, so that players can follow. */
const THINKING = 500;

/**
 * Make the moves of a seat until it is not to act. Each answer has the legal moves of the next decision.
 * @param {import("./api.js").Api} api
 * @param {string} game The path of the game.
 * @param {string | undefined} token The seat's token.
 * @param {AbortSignal} signal
 * @param {(version: number) => Promise<void>} onMove Called after each move.
 */
export async function act(api, game, token, signal, onMove) {
  let path = `${game}?include=moves`;
  let { moves } = await api.get(path, { token });
  while (moves.length > 0) {
    const seen = api.seen(path, token);
    await sleep(THINKING);
    if (signal.aborted) return;
    path = `${game}/moves?include=moves`;
    const made = await api.post(path, decide(moves), { token, seen });
    ({ moves } = made.game);
    await onMove(made.version);
  }
}

/**
 * The type is chosen first. Otherwise a type with many moves, such as a bid, would be chosen almost always.
 * @param {Move[]} moves
 * @returns {Move}
 */
function decide(moves) {
  const kinds = [...new Set(moves.map((move) => move.type))];
  const kind = any(kinds);
  return any(moves.filter((move) => move.type === kind));
}

/** @template T @param {T[]} things @returns {T} */
const any = (things) => things[Math.floor(Math.random() * things.length)];

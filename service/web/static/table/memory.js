// What this browser remembers: the tables that were set up here, and the first commitment seen of each game.

const TABLES = "lostcities:tables";
const COMMITMENT = "lostcities:commitment:";
const KEPT = 8;

/** @type {Pick<Storage, "getItem" | "setItem" | "removeItem">} A browser that keeps nothing forgets with the page. */
const store = (() => {
  try {
    return localStorage;
  } catch {
    const kept = new Map();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    };
  }
})();

/**
 * @typedef {object} HostedTable
 * @property {string} id
 * @property {string} title
 * @property {string[]} players
 * @property {import("./types.js").Chair[]} chairs
 */

/** The newest first. @returns {HostedTable[]} */
export function tables() {
  try {
    return JSON.parse(store.getItem(TABLES) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {HostedTable} table */
export function remember(table) {
  const others = tables().filter(({ id }) => id !== table.id);
  for (const { id } of others.slice(KEPT - 1)) store.removeItem(COMMITMENT + id);
  store.setItem(TABLES, JSON.stringify([table, ...others.slice(0, KEPT - 1)]));
}

/** @param {string} id */
export function forget(id) {
  store.setItem(TABLES, JSON.stringify(tables().filter((table) => table.id !== id)));
  store.removeItem(COMMITMENT + id);
}

/** @param {string} id */
export const recall = (id) => tables().find((table) => table.id === id);

/**
 * The commitment as it was when this browser first saw the game: a service that changed its mind would be caught.
 * @param {import("./types.js").Game} game
 */
export function firstCommitment({ id, commitment }) {
  const first = store.getItem(COMMITMENT + id);
  if (first === null && commitment !== null) store.setItem(COMMITMENT + id, commitment);
  return first ?? commitment;
}

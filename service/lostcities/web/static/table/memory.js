// The page's local storage: preferences, the games created in this browser, and the first commitment seen of each game.

const TABLES = "lostcities:tables";
const COMMITMENT = "lostcities:commitment:";
const PREFERENCE = "lostcities:preference:";
const KEPT = 8;

/**
 * Where storage is disabled, values are kept until the page is closed.
 * @type {Pick<Storage, "getItem" | "setItem" | "removeItem">}
 */
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
 * @property {string} [variant] Missing if an earlier version of the page created the game.
 * @property {string} title
 * @property {string[]} players
 * @property {import("./types.js").Chair[]} chairs
 * @property {string} [host] The host's token.
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
 * The commitment that this browser saw first, so that a later change of the commitment is detected.
 * @param {import("./types.js").Game} game
 */
export function firstCommitment({ id, commitment }) {
  const first = store.getItem(COMMITMENT + id);
  if (first === null && commitment !== null) store.setItem(COMMITMENT + id, commitment);
  return first ?? commitment;
}

/** @typedef {"language" | "speed" | "shortcuts" | `guided:${string}`} Preference */

/** What the user chose, or `null`. @param {Preference} name */
export const preference = (name) => store.getItem(PREFERENCE + name);

/** @param {Preference} name @param {string} value */
export const prefer = (name, value) => store.setItem(PREFERENCE + name, value);

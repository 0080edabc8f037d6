// Finds the module of a game by the name of its variant. A game without one is played from the list of its moves.

import * as plain from "./plain.js";

/**
 * @typedef {object} GameModule
 * @property {(scene: import("../types.js").Scene) => Node[]} draw
 * @property {(start: import("../types.js").Game, about: import("../types.js").About) => import("../chance.js").Procedure} [chance]
 *   Missing if this page cannot check the chance of this game.
 * @property {(game: import("../types.js").Game, seat: number) => string} [prompt] What a seat that is to act can do, as a
 *   sentence to its player. Without it the page lists the types of the legal moves.
 * @property {(line: import("../types.js").ScoreLine) => string} [steps] How the points of a line of the score were
 *   calculated. Without it the page lists the members of the line.
 * @property {(about: import("../types.js").About, options: any) => import("../rules.js").Section[]} [rules] The rules, for a
 *   person who never played the game. Without it the page shows what the API says about the variant.
 */

/** The modules that were asked for, by variant. @type {Map<string, Promise<GameModule>>} */
const loaded = new Map();

/** @param {string} variant @returns {Promise<GameModule>} */
export function load(variant) {
  const module = loaded.get(variant) ?? import(`./${variant}.js`).catch(() => plain);
  loaded.set(variant, module);
  return module;
}

// Finds the module of a game by the name of its variant. A game without one is played from the list of its moves.

import * as plain from "./plain.js";

/**
 * @typedef {object} GameModule
 * @property {(scene: import("../types.js").Scene) => Node[]} draw
 * @property {(start: import("../types.js").Game, about: import("../types.js").About) => import("../chance.js").Procedure} [chance]
 *   Missing if this page cannot check the chance of this game.
 */

/** @param {string} variant @returns {Promise<GameModule>} */
export const load = (variant) => import(`./${variant}.js`).catch(() => plain);

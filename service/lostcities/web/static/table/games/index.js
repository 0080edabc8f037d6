// Finds the module of a game by the name of its variant. A game without one is played from the list of its moves.

import * as plain from "./plain.js";

/**
 * @typedef {object} GameModule
 * @property {(scene: import("../types.js").Scene) => import("../types.js").Drawing} draw
 * @property {() => Node[]} [cover] The picture of the game on the first screen.
 * @property {(start: import("../types.js").Game, about: import("../types.js").About) => import("../chance.js").Procedure} [chance]
 *   Missing if this page cannot check the chance of this game.
 * @property {(game: import("../types.js").Game, seat: number) => string} [prompt] What a seat that is to act can do, as a
 *   sentence to its player. Without it the page lists the types of the legal moves.
 * @property {(scene: import("../types.js").Scene, own: number) => string | null} [guide] What a newcomer does now and why.
 *   `own`: how many moves the player has made. `null` when the player needs no more guidance.
 * @property {(event: import("../types.js").HistoryEvent, scene: import("../types.js").Scene) => string | null} [tell] An
 *   event as a sentence. Without it, or for an event that it does not know, the page spells the notation.
 * @property {(move: import("../types.js").Move, about: import("../types.js").About) => string} [name] A move as a button says
 *   it: "Play red 7".
 * @property {(move: import("../types.js").Move, part?: import("../types.js").Look["part"]) => string} [verb] A move in one
 *   word, for its value on an element of the board.
 * @property {(move: import("../types.js").Move) => string} [choice] A move in one word, where its piece is chosen already.
 * @property {(line: import("../types.js").ScoreLine, about: import("../types.js").About) => string} [steps] How the points of
 *   a line of the score were calculated. Without it the page lists the members of the line.
 * @property {() => Record<string, import("../options.js").OptionText>} [options] The options in words, by name.
 * @property {(about: import("../types.js").About, options: any) => import("../rules.js").Section[]} [rules] The rules, for a
 *   person who never played the game. Without it the page shows what the API says about the variant.
 */

/** The modules that were asked for, by variant. @type {Map<string, Promise<GameModule>>} */
const loaded = new Map();

/** @param {string} variant @returns {Promise<GameModule>} */
export function load(variant) {
  const module = loaded.get(variant) ?? import(`./${variant}.js`).catch(() => without(variant));
  loaded.set(variant, module);
  return module;
}

/** The module is asked for again at the next use: only the connection may have failed. @param {string} variant */
function without(variant) {
  loaded.delete(variant);
  return plain;
}

// The types that the modules share, with the members that the page uses. The complete types are in /openapi.json.

/**
 * @typedef {object} ProblemDocument A problem response (RFC 9457).
 * @property {number} status
 * @property {string} code
 * @property {string} title
 * @property {string} [detail]
 * @property {string} [rule] The rule that the move violates.
 * @property {{pointer: string, detail: string}[]} [errors] The invalid parts of the request.
 */

/**
 * @typedef {object} Move A legal move, as `GET …/moves` lists it. It can be sent back unchanged.
 * @property {number} seat
 * @property {string} notation
 * @property {string} type
 * @property {string} [card]
 * @property {string} [from]
 * @property {string} [tile]
 * @property {string} [bonus]
 * @property {string} [colour]
 * @property {number} [number]
 * @property {number} [gold]
 * @property {string[]} [dice]
 */

/**
 * @typedef {object} HistoryEvent
 * @property {number} version
 * @property {number | "chance"} actor
 * @property {string} notation
 */

/**
 * @typedef {object} Game A game as a viewer sees it.
 * @property {string} id
 * @property {string} variant
 * @property {number} version
 * @property {"playing" | "finished"} status
 * @property {string[]} players
 * @property {(string | null)[]} bots The level of the bot that plays each seat, or `null` for a person.
 * @property {(number | "chance")[]} to_act
 * @property {string} phase
 * @property {any} options
 * @property {any} position Its type depends on the variant.
 * @property {{winners: number[], totals: number[], reason: string} | null} outcome
 * @property {"server" | "client"} chance
 * @property {string | null} commitment
 * @property {Score} score
 * @property {Move[]} [moves] The legal moves of the viewer. Missing in an earlier version of the game.
 */

/** @typedef {{item: string, points: number} & Record<string, any>} ScoreLine The other members depend on the variant. */

/**
 * @typedef {object} Score
 * @property {boolean} final
 * @property {{seat: number, total: number, lines: ScoreLine[]}[]} seats
 */

/**
 * @typedef {object} About The response of `GET /variants/{variant}`.
 * @property {string} variant
 * @property {string} title
 * @property {{min: number, max: number}} seats
 * @property {any} components Its type depends on the variant.
 * @property {any} scales Its type depends on the variant.
 * @property {{name: string, default: any, text: string}[]} options
 * @property {{notation: string, by: "seat" | "chance", text: string}[]} moves
 * @property {{phase: string, text: string}[]} phases
 * @property {{reason: string, text: string}[]} endings
 * @property {{text: string}[]} rulings
 * @property {string[]} bots The levels of the bots that can play, from the weakest.
 */

/**
 * @typedef {object} Fairness The response of `GET …/fairness`.
 * @property {string | null} algorithm
 * @property {string | null} commitment
 * @property {string | null} seed
 * @property {number | null} [seed_from] The seed determines the events after this version.
 * @property {string} description
 */

/**
 * @typedef {object} Chair A seat as this page knows it.
 * @property {"here" | "link" | "bot" | "elsewhere"} kind How the seat is played: at this device, by a player with a
 *   link, by the service, or at an unknown place.
 * @property {string} [token] The seat's token. Missing for `bot` and `elsewhere`.
 */

/**
 * @typedef {object} Scene The input of a drawing.
 * @property {Game} game
 * @property {About} about
 * @property {Score} score
 * @property {number | null} me The seat whose view is shown, or `null` for a spectator's view.
 * @property {Move[]} moves The legal moves of that seat.
 * @property {Spot} spot
 * @property {(moves: Move[]) => void} cover Register moves that the drawing offers by other elements than spots.
 * @property {Set<number>} picked The selected dice. Cleared with the next version.
 * @property {() => void} redraw Draw again after the selection changed.
 */

/**
 * A drawn element. With legal moves it is a button: with one move it makes that move, with several it shows a choice.
 * @callback Spot
 * @param {Move[]} moves
 * @param {{class: string, label: string, ask?: boolean}} look `ask`: show a choice even for one move.
 * @param {...(Node | string)} content
 * @returns {HTMLElement}
 */

export {};

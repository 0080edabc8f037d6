// The shapes that go between the modules, as far as the page relies on them. The whole of them is in /openapi.json.

/**
 * @typedef {object} ProblemDocument Why a request was refused (RFC 9457).
 * @property {number} status
 * @property {string} code
 * @property {string} title
 * @property {string} [detail]
 * @property {string} [rule] The rule that a move breaks.
 * @property {{pointer: string, detail: string}[]} [errors] The parts of the request that it is about.
 */

/**
 * @typedef {object} Move A legal move, as `GET …/moves` lists it. It is sent back as it is.
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
 * @typedef {object} Game A game as somebody sees it.
 * @property {string} id
 * @property {string} variant
 * @property {number} version
 * @property {"playing" | "finished"} status
 * @property {string[]} players
 * @property {(number | "chance")[]} to_act
 * @property {string} phase
 * @property {any} options
 * @property {any} position The variant's own shape.
 * @property {{winners: number[], totals: number[], reason: string} | null} outcome
 * @property {"server" | "client"} chance
 * @property {string | null} commitment
 */

/**
 * @typedef {object} Score
 * @property {boolean} final
 * @property {{seat: number, total: number, lines: ({item: string, points: number} & Record<string, any>)[]}[]} seats
 */

/**
 * @typedef {object} About What `GET /variants/{variant}` tells of a game.
 * @property {string} variant
 * @property {string} title
 * @property {{min: number, max: number}} seats
 * @property {any} components
 * @property {{name: string, default: any, text: string}[]} options
 * @property {{phase: string, text: string}[]} phases
 * @property {{reason: string, text: string}[]} endings
 */

/**
 * @typedef {object} Fairness What `GET …/fairness` tells.
 * @property {string | null} algorithm
 * @property {string | null} commitment
 * @property {string | null} seed
 * @property {string} description
 */

/**
 * @typedef {object} Chair A seat as this page knows it.
 * @property {"here" | "link" | "bot" | "elsewhere"} kind Who plays it: somebody at this device, somebody with a link,
 *   this page's bot, or somebody this page knows nothing of.
 * @property {string} [token] What its player moves with; missing for a seat that is elsewhere.
 */

/**
 * @typedef {object} Scene Everything that a drawing is made from.
 * @property {Game} game
 * @property {About} about
 * @property {Score} score
 * @property {number | null} me Through whose eyes the game is seen; `null`: a spectator's.
 * @property {Move[]} moves What that seat may do now.
 * @property {Spot} spot
 * @property {(moves: Move[]) => void} cover Say that these moves can be reached by what is drawn, if not by a spot.
 * @property {Set<number>} picked What is picked but not yet done, forgotten with the next version.
 * @property {() => void} redraw Draw again after something was picked.
 */

/**
 * Something drawn. It is a button if it stands for legal moves: of one it is the move, of several it offers a choice.
 * @callback Spot
 * @param {Move[]} moves
 * @param {{class: string, label: string, ask?: boolean}} look `ask`: offer a choice even of one move.
 * @param {...(Node | string)} content
 * @returns {HTMLElement}
 */

export {};

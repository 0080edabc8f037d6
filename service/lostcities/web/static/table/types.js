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
 * @property {number[]} resigned The seats that cannot win any more.
 * @property {number | null} turn_seconds
 * @property {"resign" | "bot" | null} on_timeout
 * @property {{seat: number, since: string, until: string}[]} clocks The seats that are to act, in a game with a time limit.
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
 * @property {Record<string, Record<string, string>>} labels The words for ids, in the language of the page.
 * @property {any} scales Its type depends on the variant.
 * @property {{name: string, default: any, text: string}[]} options
 * @property {{notation: string, by: "seat" | "chance", text: string}[]} moves
 * @property {{phase: string, text: string}[]} phases
 * @property {{reason: string, text: string}[]} endings
 * @property {{code: string, text: string}[]} rules
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
 * @property {number | null} you The seat that sentences call "you": `me`, unless several persons play at this device.
 * @property {HistoryEvent[]} events The events up to the game's version. A move that was taken back has an empty notation.
 * @property {Move[]} moves The legal moves of that seat.
 * @property {Spot} spot
 * @property {(moves: Move[]) => void} cover Register moves that the drawing offers by other elements than spots.
 * @property {(moves: Move[]) => Node | null} worth What these moves are worth, if hints are shown.
 * @property {Set<number>} picked The selected dice. Cleared with the next version.
 * @property {() => void} redraw Draw again after the selection changed.
 */

/**
 * What a game's module draws.
 * @typedef {object} Drawing
 * @property {Node[]} board
 * @property {Node[]} dock What a player needs with the prompt: hand, dice, bids. It is always on the screen.
 */

/**
 * @typedef {object} Look
 * @property {string} key Names the spot. It is kept while it shows the same.
 * @property {string} class
 * @property {string} [label] What a tap does. Needed with legal moves.
 * @property {string} [title] What it is. Needed without legal moves if the content has no text.
 * @property {"piece" | "place"} [part] A tap on a piece chooses it. A tap on a place makes the move that the chosen
 *   piece shares with it, or offers its moves. A tap on any other spot makes its move.
 * @property {(chosen: string) => string | null} [means] The notation of the move that a tap would mean, from the key of
 *   the chosen piece. The service says why it is illegal.
 * @property {string} [why] Why a tap does nothing, if `means` gives no notation.
 * @property {string} [hot] The key that presses it.
 * @property {string} [home] The place that pieces come from: `supply`, `seat 0`.
 */

/**
 * A drawn element that can be tapped.
 * @callback Spot
 * @param {Move[]} moves The legal moves that it stands for.
 * @param {Look} look
 * @param {...(import("./dom.js").Child)} content
 * @returns {HTMLElement}
 */

export {};

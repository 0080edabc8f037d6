// The events of a game, fetched page by page and kept. Who looks decides what is readable, so each has a history.

/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */

/** As many as the API gives at once. */
const PAGE = 500;

export class History {
  /** @type {Map<string, HistoryEvent[]>} By whose eyes. */
  #read = new Map();

  /** @param {import("./api.js").Api} api @param {string} path */
  constructor(api, path) {
    this.api = api;
    this.path = path;
  }

  /**
   * All events up to a game's version.
   * @param {import("./types.js").Game} game
   * @param {string} [token]
   */
  async upTo(game, token) {
    // When a game is over everything is public: what was hidden is read anew.
    const eyes = game.status === "finished" ? "over" : (token ?? "spectator");
    const events = this.#read.get(eyes) ?? [];
    while (events.length < game.version) {
      const page = await this.api.get(`${this.path}/history`, { token, query: { after: events.length, limit: PAGE } });
      events.push(...page.events);
    }
    this.#read.set(eyes, events);
    return events.slice(0, game.version);
  }
}

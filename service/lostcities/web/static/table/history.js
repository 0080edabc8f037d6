// The events of a game, fetched page by page and cached. Each viewer has a separate cache, because events are redacted.

/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */

/** Maximum page size of the API. */
const PAGE = 500;

export class History {
  /** @type {Map<string, HistoryEvent[]>} Cached events, by viewer. */
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
    // A finished game is public, so its redacted events are fetched again.
    const events = this.#known(game.status === "finished" ? "over" : token);
    while (events.length < game.version) {
      const page = await this.api.get(`${this.path}/history`, { token, query: { after: events.length, limit: PAGE } });
      append(events, page.events);
    }
    return events.slice(0, game.version);
  }

  /** Add events that a stream or an answer contains. @param {HistoryEvent[]} events @param {string} [token] */
  add(events, token) {
    append(this.#known(token), events);
  }

  /** The cached events of a viewer. @param {string} [eyes] */
  #known(eyes = "spectator") {
    const events = this.#read.get(eyes) ?? [];
    this.#read.set(eyes, events);
    return events;
  }
}

/**
 * Append the events that follow the known ones. Others are known already, or are fetched when they are needed.
 * @param {HistoryEvent[]} known
 * @param {HistoryEvent[]} events
 */
function append(known, events) {
  for (const event of events) if (event.version === known.length + 1) known.push(event);
}

// The events of a game, fetched page by page and cached. Each viewer has a separate cache, because events are redacted.

/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */

/** The notations of events that happen at the table and not in the rules of the game. */
const AT_THE_TABLE = /^(resign|undo|clockwise|timeout|bot .+|person .+)$/;

/** Whether an event happened at the table, and not in the rules of the game. @param {HistoryEvent} event */
export const isTableEvent = ({ actor, notation }) => actor !== "chance" && AT_THE_TABLE.test(notation);

/** Whether an event is a move that stands. @param {HistoryEvent} event */
export const isMove = (event) => event.actor !== "chance" && event.notation !== "" && !isTableEvent(event);

/**
 * The events, with an empty notation for each move that was taken back.
 * @param {HistoryEvent[]} events
 */
export function standing(events) {
  if (!events.some((event) => event.notation === "undo")) return events;
  const stand = [...events];
  events.forEach(({ actor, notation }, index) => {
    if (notation !== "undo") return;
    const undone = stand.findLastIndex((event, at) => at < index && event.actor === actor && isMove(event));
    if (undone >= 0) stand[undone] = { ...stand[undone], notation: "" };
  });
  return stand;
}

/** Maximum page size of the API. */
const PAGE = 500;
/** The viewer of a finished game: every viewer sees the same. */
const OVER = "over";

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
    const events = this.#of(game, token);
    while (events.length < game.version) {
      const page = await this.api.get(`${this.path}/history`, { token, query: { after: events.length, limit: PAGE } });
      append(events, page.events);
    }
    return events.slice(0, game.version);
  }

  /** The first events that a viewer may see. @param {string} [token] @returns {Promise<HistoryEvent[]>} */
  async begin(token) {
    const { events } = await this.api.get(`${this.path}/history`, { token, query: { after: 0, limit: PAGE } });
    return events;
  }

  /** Keep the first events, of a game that was loaded at the same time. @param {import("./types.js").Game} game @param {HistoryEvent[]} events @param {string} [token] */
  keep(game, events, token) {
    append(this.#of(game, token), events);
  }

  /** @param {import("./types.js").Game} game @param {string} [token] */
  #of(game, token) {
    // A finished game is public, so its redacted events are fetched again.
    return this.#known(game.status === "finished" ? OVER : token);
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

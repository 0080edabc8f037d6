// Keeps the page up to date: a stream of server-sent events, or long polls while streams do not work.
//
// A connection is in one of four states. It is live while a stream or a long poll delivers what happens; a stream that
// ends may be replaced by the next one without notice. It is reconnecting after that failed, and offline when attempts have failed for a while or the browser has no network. In
// both states it is tried again, the stream first. It is over when the game is over.
//
// `EventSource` cannot send an `Authorization` header, and a token must not be part of an address. So the stream is
// read with `fetch` and parsed here: a message is a block of `field: value` lines that ends with an empty line.

import { asker, INCLUDED, Problem } from "./api.js";

/** Milliseconds to wait for the first message of a stream. */
const FIRST = 10_000;
/** Milliseconds to wait for a later message. Heartbeats come more often. */
const SILENCE = 45_000;
/** Seconds that a long poll waits for a change. */
const WAIT = 25;
/** Milliseconds for which a stream that has ended may be replaced by the next one. */
const GRACE = 1500;
/** Milliseconds after which a connection that cannot be made is called offline. */
const GIVE_UP = 6000;
/** Milliseconds between two attempts: at first, and at the most. */
const [SHORTEST, LONGEST] = [300, 4000];

/** @typedef {"live" | "reconnecting" | "offline" | "over"} ConnectionState */

/**
 * @typedef {object} Following
 * @property {() => string | undefined} token
 * @property {() => number} version The version that the page has.
 * @property {(game: import("./types.js").Game | undefined, events: import("./types.js").HistoryEvent[], token?: string) => void} onNews
 *   Called with a game, or with an event and the game after it. Of events that arrive together the last one has a game.
 * @property {(token: string) => void} onRevoked Called when the token is not valid any more. `token` gives another one then.
 * @property {(state: ConnectionState) => void} onState Called when the state changes.
 * @property {AbortSignal} signal
 */

/** Follows a game until it is over or the signal is aborted. */
export class Connection {
  /** @type {ConnectionState} */
  #state = "reconnecting";
  /** When the connection was last known to work. */
  #worked = performance.now();
  #pause = SHORTEST;
  /** The timer after which a stream that has ended is missed. */
  #missing = 0;
  /** State that is kept between streams. */
  #stream = { last: /** @type {string | null} */ (null), ended: false };

  /** @param {import("./api.js").Api} api @param {string} path The path of the game. @param {Following} how */
  constructor(api, path, how) {
    this.api = api;
    this.path = path;
    this.how = how;
  }

  async follow() {
    const { signal } = this.how;
    while (!signal.aborted) {
      const streamed = await this.#read();
      if (this.#stream.ended) return this.#enter("over");
      if (signal.aborted) return;
      // A proxy may hold streams back: without a message from the stream one long poll delivers the news.
      if (!streamed && (await this.#poll()) === "finished") return this.#enter("over");
      if (signal.aborted) return;
      if (this.#state !== "live" || streamed) await this.#recover();
    }
  }

  /** @param {ConnectionState} state */
  #enter(state) {
    clearTimeout(this.#missing);
    if (this.how.signal.aborted) return;
    if (state === "live") [this.#worked, this.#pause] = [performance.now(), SHORTEST];
    if (state === this.#state && state !== "live") return;
    this.#state = state;
    this.how.onState(state);
  }

  /** Wait before the next attempt, until the browser has a network again or the page is looked at. */
  async #recover() {
    const isLost = performance.now() - this.#worked > GIVE_UP || !navigator.onLine;
    if (this.#state === "live") this.#missing = setTimeout(() => this.#enter("reconnecting"), GRACE);
    else this.#enter(isLost ? "offline" : "reconnecting");
    const timer = AbortSignal.timeout(this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST);
    await new Promise((resolve) => {
      const over = new AbortController();
      const options = { once: true, signal: over.signal };
      const goOn = () => {
        over.abort();
        resolve(undefined);
      };
      timer.addEventListener("abort", goOn, options);
      window.addEventListener("online", goOn, options);
      document.addEventListener("visibilitychange", goOn, options);
    });
  }

  /** Read a stream to its end. @returns {Promise<boolean>} Whether it delivered a message. */
  async #read() {
    const { onNews, onRevoked, signal } = this.how;
    const token = this.how.token();
    let received = false;
    try {
      for await (const message of messages(`${this.path}/events?include=${INCLUDED}`, token, this.#stream, signal)) {
        received = true;
        this.#enter("live");
        if (message.event === "end" && token && JSON.parse(message.data).reason === "revoked") {
          this.#stream.last = null;
          onRevoked(token);
        } else if (message.event === "end") this.#stream.ended = true;
        else if (message.event === "game") onNews(JSON.parse(message.data), [], token);
        else if (message.event === "event") {
          const { game, ...event } = JSON.parse(message.data);
          onNews(game, [event], token);
        }
      }
    } catch {
      // All failures are handled alike: try again.
    }
    return received;
  }

  /** One long poll. @returns {Promise<string | undefined>} The status of the game. */
  async #poll() {
    const { version, onNews, onRevoked, signal } = this.how;
    const token = this.how.token();
    try {
      // An answer without a wait says at once whether the service is there.
      const wait = this.#state === "live" ? WAIT : 0;
      const query = { ...(wait && { after: version(), wait }), include: INCLUDED };
      const game = await this.api.get(this.path, { token, query, signal, attempts: 1 });
      this.#enter("live");
      onNews(game, [], token);
      return game.status;
    } catch (error) {
      if (token && error instanceof Problem && error.status === 401) onRevoked(token);
      if (this.#state === "live") this.#enter("reconnecting");
      return undefined;
    }
  }
}

/**
 * The messages of one connection. A heartbeat is a message without data.
 * @param {string} address
 * @param {string | undefined} token
 * @param {{last: string | null, ended: boolean}} stream State that is kept between streams.
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<{event: string, data: string}>}
 */
async function* messages(address, token, stream, signal) {
  const cut = new AbortController();
  const watchdog = new Watchdog(() => cut.abort(), stream.last === null ? FIRST : SILENCE);
  try {
    const headers = new Headers({ Accept: "text/event-stream", ...asker(token) });
    if (stream.last !== null) headers.set("Last-Event-ID", stream.last);
    const response = await fetch(address, {
      headers,
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, cut.signal]),
    });
    // 204: the game is over, and the client has its last event.
    if (response.status === 204) stream.ended = true;
    if (response.status !== 200 || !response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      watchdog.reset(SILENCE);
      const blocks = (text + value).replaceAll("\r\n", "\n").split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const message = parse(block);
        if (message.id !== null) stream.last = message.id;
        yield message;
      }
    }
  } finally {
    watchdog.stop();
    cut.abort();
  }
}

/**
 * Parse one message. A line that begins with a colon is a comment.
 * @param {string} block
 */
function parse(block) {
  const message = { event: "message", data: "", id: /** @type {string | null} */ (null) };
  for (const line of block.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "data") message.data += (message.data && "\n") + value;
    else if (field === "event") message.event = value;
    else if (field === "id") message.id = value;
  }
  return message;
}

/** A watchdog timer: calls `onTimeout` unless it is reset in time. */
class Watchdog {
  /** @param {() => void} onTimeout @param {number} milliseconds */
  constructor(onTimeout, milliseconds) {
    this.onTimeout = onTimeout;
    this.timer = setTimeout(onTimeout, milliseconds);
  }

  /** @param {number} milliseconds */
  reset(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onTimeout, milliseconds);
  }

  stop() {
    clearTimeout(this.timer);
  }
}

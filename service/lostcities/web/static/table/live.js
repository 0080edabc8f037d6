// Live updates: a stream of server-sent events, or long polls if streams do not work.
//
// `EventSource` cannot send an `Authorization` header, and a token must not be part of an address. So the stream is
// read with `fetch` and parsed here: a message is a block of `field: value` lines that ends with an empty line.

import { bearer, INCLUDED, sleep } from "./api.js";

/** Milliseconds to wait for the first message of a stream. */
const FIRST = 10_000;
/** Milliseconds to wait for a later message. Heartbeats come more often. */
const SILENCE = 45_000;
/** After this number of failed streams in a row the page polls. */
const TRIES = 2;
/** Seconds that a long poll waits for a change. */
const WAIT = 25;

/** @typedef {"live" | "polling" | "reconnecting" | "over"} ConnectionState */

/**
 * Follow a game until it is over or the signal is aborted.
 * @param {import("./api.js").Api} api
 * @param {string} path The path of the game.
 * @param {object} how
 * @param {string} [how.token]
 * @param {() => number} how.version The version that the page has.
 * @param {(game: import("./types.js").Game | undefined, events: import("./types.js").HistoryEvent[]) => void} how.onNews
 *   Called with a game, or with an event and the game after it. Of events that arrive together the last one has a game.
 * @param {(state: ConnectionState) => void} how.onState Called when the connection changes.
 * @param {AbortSignal} how.signal
 */
export async function follow(api, path, { token, version, onNews, onState, signal }) {
  const stream = { last: /** @type {string | null} */ (null), pause: 2000, ended: false };
  let silent = 0;
  while (!signal.aborted && silent < TRIES) {
    let received = false;
    try {
      for await (const message of messages(`${path}/events?include=${INCLUDED}`, token, stream, signal)) {
        if (!received) onState("live");
        received = true;
        if (message.event === "end") stream.ended = true;
        else if (message.event === "game") onNews(JSON.parse(message.data), []);
        else if (message.event === "event") {
          const { game, ...event } = JSON.parse(message.data);
          onNews(game, [event]);
        }
      }
    } catch {
      // All failures are handled alike: try again.
    }
    if (stream.ended) return onState("over");
    silent = received ? 0 : silent + 1;
    if (signal.aborted) return;
    onState("reconnecting");
    await sleep(received ? stream.pause : 300);
  }
  await poll(api, path, { token, version, onNews, onState, signal });
}

/**
 * The messages of one connection. A heartbeat is a message without data.
 * @param {string} address
 * @param {string | undefined} token
 * @param {{last: string | null, pause: number, ended: boolean}} stream State that is kept between connections.
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<{event: string, data: string}>}
 */
async function* messages(address, token, stream, signal) {
  const cut = new AbortController();
  const watchdog = new Watchdog(() => cut.abort(), stream.last === null ? FIRST : SILENCE);
  try {
    const headers = new Headers({ Accept: "text/event-stream", ...bearer(token) });
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
        if (message.retry) stream.pause = message.retry;
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
  const message = { event: "message", data: "", id: /** @type {string | null} */ (null), retry: 0 };
  for (const line of block.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "data") message.data += (message.data && "\n") + value;
    else if (field === "event") message.event = value;
    else if (field === "id") message.id = value;
    else if (field === "retry") message.retry = Number(value);
  }
  return message;
}

/**
 * Follow a game by long polls.
 * @type {typeof follow}
 */
async function poll(api, path, { token, version, onNews, onState, signal }) {
  while (!signal.aborted) {
    try {
      onState("polling");
      const game = await api.get(path, { token, query: { after: version(), wait: WAIT, include: INCLUDED }, signal });
      onNews(game, []);
      if (game.status === "finished") return onState("over");
    } catch {
      if (signal.aborted) return;
      onState("reconnecting");
      await sleep(3000);
    }
  }
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

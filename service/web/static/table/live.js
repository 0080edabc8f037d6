// Hearing of moves as they are made: a stream of server-sent events, or long polls where no stream comes through.
//
// `EventSource` cannot send an `Authorization` header, and a token has no place in an address: so the stream is fetched
// and read here. It is a few lines: messages are blocks of `field: value` lines with an empty line after each.

import { bearer, sleep } from "./api.js";

/** Milliseconds within which a new stream says something, or is given up. */
const FIRST = 10_000;
/** The same for one that has spoken: heartbeats come more often. */
const SILENCE = 45_000;
/** So many streams in a row that say nothing, and polls take over. */
const TRIES = 2;
/** Seconds that a poll waits for news. */
const WAIT = 25;

/** @typedef {"live" | "polling" | "reconnecting" | "over"} Mood */

/**
 * Follow a game until it is over or the signal says so.
 * @param {import("./api.js").Api} api
 * @param {string} path The game's.
 * @param {object} how
 * @param {string} [how.token]
 * @param {() => number} how.version The version that the page has.
 * @param {(version: number) => void} how.heard Called with each newer version.
 * @param {(mood: Mood) => void} how.mood Called when the connection changes.
 * @param {AbortSignal} how.signal
 */
export async function follow(api, path, { token, version, heard, mood, signal }) {
  const stream = { last: /** @type {string | null} */ (null), pause: 2000, ended: false };
  let silent = 0;
  while (!signal.aborted && silent < TRIES) {
    let spoke = false;
    try {
      for await (const message of messages(`${path}/events`, token, stream, signal)) {
        if (!spoke) mood("live");
        spoke = true;
        if (message.event === "end") stream.ended = true;
        else if (message.data) heard(JSON.parse(message.data).version);
      }
    } catch {
      // Cut, refused or silent: which of them makes no difference here.
    }
    if (stream.ended) return mood("over");
    silent = spoke ? 0 : silent + 1;
    if (signal.aborted) return;
    mood("reconnecting");
    await sleep(spoke ? stream.pause : 300);
  }
  await poll(api, path, { token, version, heard, mood, signal });
}

/**
 * The messages of one connection; a heartbeat is one without data.
 * @param {string} address
 * @param {string | undefined} token
 * @param {{last: string | null, pause: number, ended: boolean}} stream What is kept from one connection to the next.
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
    // Nothing is left to be told of a game that was over before.
    if (response.status === 204) stream.ended = true;
    if (response.status !== 200 || !response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      watchdog.pat(SILENCE);
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
 * One message. A line that begins with a colon is a comment.
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
 * Ask for the game again and again; each time the service waits for news before it answers.
 * @type {typeof follow}
 */
async function poll(api, path, { token, version, heard, mood, signal }) {
  while (!signal.aborted) {
    try {
      mood("polling");
      const game = await api.get(path, { token, query: { after: version(), wait: WAIT }, signal });
      if (game.version > version()) heard(game.version);
      if (game.status === "finished") return mood("over");
    } catch {
      if (signal.aborted) return;
      mood("reconnecting");
      await sleep(3000);
    }
  }
}

/** Calls back unless it is patted in time. */
class Watchdog {
  /** @param {() => void} bark @param {number} patience */
  constructor(bark, patience) {
    this.bark = bark;
    this.timer = setTimeout(bark, patience);
  }

  /** @param {number} patience */
  pat(patience) {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.bark, patience);
  }

  stop() {
    clearTimeout(this.timer);
  }
}

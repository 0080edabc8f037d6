// A client of the API. It sends the language of the reader, retries failed requests, uses ETags to avoid repeated downloads, and throws problems.

import { language, t } from "./texts.js";

/** A problem response (RFC 9457). */
export class Problem extends Error {
  /** @param {import("./types.js").ProblemDocument} document */
  constructor(document) {
    super(document.detail ?? document.title);
    this.status = document.status;
    /** The stable problem code. */
    this.code = document.code;
    /** The rule that the move violates, if any. */
    this.rule = document.rule;
    /** The invalid parts of the request. */
    this.parts = document.errors ?? [];
  }
}

/** What the page wants with each game: the moves of the viewer, and the score. */
export const INCLUDED = "moves,score";

const ATTEMPTS = 5;
/** Timeout of one attempt in milliseconds. Longer than the longest poll. */
const TIMEOUT = 40_000;
/** Maximum `Retry-After` to wait for. A longer one is shown to the user as an error. */
const LONGEST_PAUSE = 10_000;
/** Milliseconds between the attempts of a patient request, on average, at the most. */
const LONGEST_BACK_OFF = 3000;
/** Statuses after which a request is retried. */
const RETRY_STATUSES = new Set([429, 502, 503, 504]);

export class Api {
  /** @type {Map<string, {etag: string, body: any}>} Cached responses, by token and address. */
  #known = new Map();
  /** Answers that were asked for before they are needed, by path. @type {Map<string, Promise<any>>} */
  #early = new Map();
  /** The descriptions of variants. @type {Map<string, Promise<import("./types.js").About>>} */
  #abouts = new Map();
  /** Milliseconds by which the clock of the service is ahead of the browser's. */
  #ahead = 0;

  /** The time by the clock of the service, in milliseconds: time limits are about it. */
  now() {
    return Date.now() + this.#ahead;
  }

  /** @param {string} address @param {RequestInit} init @param {Parameters<typeof send>[2]} how */
  async #send(address, init, how) {
    const response = await send(address, init, how);
    const date = Date.parse(response.headers.get("Date") ?? "");
    // A difference below the header's resolution is none.
    const ahead = date + 500 - Date.now();
    this.#ahead = Math.abs(ahead) > 2000 ? ahead : 0;
    return response;
  }

  /** Ask for what the next `get` of a path returns. @param {string} path */
  ahead(path) {
    const answer = this.get(path);
    answer.catch(() => {});
    this.#early.set(path, answer);
  }

  /** The description of a variant, which does not change while the page is open. @param {string} variant */
  about(variant) {
    const about = this.#abouts.get(variant) ?? this.get(`variants/${encodeURIComponent(variant)}`);
    this.#abouts.set(variant, about);
    about.catch(() => this.#abouts.delete(variant));
    return about;
  }

  /**
   * @param {string} path Relative to the page.
   * @param {{token?: string, query?: Record<string, string | number>, signal?: AbortSignal, attempts?: number}} [how]
   * @returns {Promise<any>} The body.
   */
  async get(path, { token, query, signal, attempts } = {}) {
    const early = this.#early.get(path);
    this.#early.delete(path);
    if (early) return early;
    const address = query
      ? `${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`
      : path;
    const name = `${token ?? ""} ${address}`;
    const known = this.#known.get(name);
    const headers = { ...asker(token), ...(known && { "If-None-Match": known.etag }) };
    const response = await this.#send(address, { headers, signal }, { attempts });
    if (response.status === 304 && known) return known.body;
    const body = await bodyOf(response);
    const etag = response.headers.get("ETag");
    if (etag && !query) this.#known.set(name, { etag, body });
    return body;
  }

  /**
   * Every POST has an `Idempotency-Key`, so that a retry is not carried out twice. `seen` is a version of the game: the
   * service rejects the request if the seat was asked to decide after it.
   * @param {string} path
   * @param {unknown} body
   * @param {{token?: string, seen?: number, patience?: number, onWaiting?: () => void}} [how] `patience`: milliseconds
   *   for which the request is sent again while the service is away. `onWaiting`: called when it is sent again.
   * @returns {Promise<any>} The body of the answer.
   */
  async post(path, body, { token, seen, patience, onWaiting } = {}) {
    const headers = {
      ...asker(token),
      ...(seen !== undefined && { "If-Match": `"${seen}"` }),
      "Content-Type": "application/json",
      "Idempotency-Key": newKey(),
    };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return bodyOf(await this.#send(path, init, { patience, onWaiting }));
  }
}

/**
 * The headers that say who asks. The token is never part of an address, because addresses are logged.
 * @param {string} [token]
 * @returns {Record<string, string>}
 */
export function asker(token) {
  return { "Accept-Language": language(), ...(token && { Authorization: `Bearer ${token}` }) };
}

/** 128 random bits. `randomUUID` needs HTTPS, which a service in a local network may not have. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Send a request, and retry it after a failed connection or one of `RETRY_STATUSES`.
 * @param {string} address
 * @param {RequestInit} init
 * @param {{attempts?: number, patience?: number, onWaiting?: () => void}} [how] `patience` takes precedence.
 * @returns {Promise<Response>}
 */
async function send(address, init, { attempts = ATTEMPTS, patience, onWaiting } = {}) {
  const deadline = performance.now() + (patience ?? 0);
  for (let attempt = 1; ; attempt += 1) {
    const isLast = patience === undefined ? attempt >= attempts : performance.now() > deadline;
    try {
      const limit = AbortSignal.timeout(TIMEOUT);
      const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
      const response = await fetch(address, { cache: "no-store", referrerPolicy: "no-referrer", ...init, signal });
      const pause = Number(response.headers.get("Retry-After") ?? 0) * 1000 || backOff(attempt);
      if (isLast || !RETRY_STATUSES.has(response.status) || pause > LONGEST_PAUSE) return response;
      onWaiting?.();
      await sleep(pause);
    } catch (error) {
      // The connection failed. It is unknown whether the request arrived, so the same request is sent again.
      if (init.signal?.aborted) throw error;
      if (isLast) throw new Problem({ status: 0, code: "", title: t("The service does not answer. Try again in a moment.") });
      onWaiting?.();
      await sleep(backOff(attempt));
    }
  }
}

/** Exponential backoff with jitter. @param {number} attempt */
const backOff = (attempt) => Math.min(150 * 2 ** attempt, LONGEST_BACK_OFF) * (0.5 + Math.random());

/** @param {Response} response */
async function bodyOf(response) {
  if (response.ok) return response.json();
  const isProblem = response.headers.get("Content-Type")?.startsWith("application/problem+json");
  throw new Problem(
    isProblem ? await response.json() : { status: response.status, code: "unknown", title: response.statusText },
  );
}

/** @param {number} milliseconds @returns {Promise<void>} */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// A client of the API: it retries what may be retried, asks again only for what has changed, and throws problems.

/** An answer that says why not (RFC 9457). */
export class Problem extends Error {
  /** @param {import("./types.js").ProblemDocument} document */
  constructor(document) {
    super(document.detail ?? document.title);
    this.status = document.status;
    /** Stable, for programs. */
    this.code = document.code;
    /** The rule that a move breaks, if it breaks one. */
    this.rule = document.rule;
    /** The parts of the request that it is about. */
    this.parts = document.errors ?? [];
  }
}

const ATTEMPTS = 5;
/** Milliseconds that one attempt may take: longer than the longest poll. */
const PATIENCE = 40_000;
/** Whoever is told to come back later than that is told so. */
const LONGEST_PAUSE = 10_000;
/** The answers after which the same request may fare better. */
const AGAIN = new Set([429, 502, 503, 504]);

export class Api {
  /** @type {Map<string, {etag: string, body: any}>} What was last seen, by who asked for what. */
  #known = new Map();

  /**
   * @param {string} path Relative to the page.
   * @param {{token?: string, query?: Record<string, string | number>, signal?: AbortSignal}} [how]
   * @returns {Promise<any>} The body.
   */
  async get(path, { token, query, signal } = {}) {
    const address = query
      ? `${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`
      : path;
    const name = `${token ?? ""} ${address}`;
    const known = this.#known.get(name);
    const headers = { ...bearer(token), ...(known && { "If-None-Match": known.etag }) };
    const response = await send(address, { headers, signal });
    if (response.status === 304 && known) return known.body;
    const body = await bodyOf(response);
    const etag = response.headers.get("ETag");
    if (etag && !query) this.#known.set(name, { etag, body });
    return body;
  }

  /** The ETag under which this was last seen. @param {string} path @param {string} [token] */
  seen(path, token) {
    return this.#known.get(`${token ?? ""} ${path}`)?.etag;
  }

  /**
   * Every POST has a key of its own, so that it is made once however often it is sent. `seen` is an ETag: the service
   * refuses a decision about something that has changed since.
   * @param {string} path
   * @param {unknown} body
   * @param {{token?: string, seen?: string}} [how]
   * @returns {Promise<any>} The body of the answer.
   */
  async post(path, body, { token, seen } = {}) {
    const headers = {
      ...bearer(token),
      ...(seen && { "If-Match": seen }),
      "Content-Type": "application/json",
      "Idempotency-Key": newKey(),
    };
    return bodyOf(await send(path, { method: "POST", headers, body: JSON.stringify(body) }));
  }
}

/**
 * The token travels in a header: never in an address, which others log.
 * @param {string} [token]
 * @returns {Record<string, string>}
 */
export function bearer(token) {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** 128 random bits. `randomUUID` would need HTTPS, and a phone in the same house may have none. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Send until an answer comes that another attempt would not change.
 * @param {string} address
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
async function send(address, init) {
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === ATTEMPTS;
    try {
      const limit = AbortSignal.timeout(PATIENCE);
      const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
      const response = await fetch(address, { cache: "no-store", referrerPolicy: "no-referrer", ...init, signal });
      const pause = Number(response.headers.get("Retry-After") ?? 0) * 1000 || backOff(attempt);
      if (last || !AGAIN.has(response.status) || pause > LONGEST_PAUSE) return response;
      await sleep(pause);
    } catch (error) {
      // A connection that broke: whether the request arrived is unknown, so the very same one is sent again.
      if (last || init.signal?.aborted) throw error;
      await sleep(backOff(attempt));
    }
  }
}

/** Longer each time, and never the same for everybody. @param {number} attempt */
const backOff = (attempt) => 150 * 2 ** attempt * (0.5 + Math.random());

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

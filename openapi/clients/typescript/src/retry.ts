// The HTTP layer below the generated functions: keys for safe retries, pauses between them, the version of the service.

import { checkVersion, retryAfter } from "./errors.js";

/** How often a request is sent, and how long the client waits in between.
 *
 * The pause is what `Retry-After` demands, plus a random time that is at most `first * 2**n` seconds and at most
 * `longest` seconds.
 */
export interface Retry {
  attempts: number;
  first: number;
  longest: number;
  /** Seconds after which an attempt without a complete reply is given up. A long poll takes at most 30. */
  timeout: number;
}

export const defaultRetry: Retry = { attempts: 12, first: 0.1, longest: 20, timeout: 60 };

export const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const WITHOUT_BODY = new Set([204, 205, 304]);

export const sleep = (seconds: number) => new Promise<void>((done) => setTimeout(done, 1000 * seconds));

export const isStream = (response: Response) =>
  response.ok && (response.headers.get("Content-Type") ?? "").startsWith("text/event-stream");

/** A `fetch` that sends a request until it is answered.
 *
 * Every POST has an `Idempotency-Key`, the same one in each attempt: a request whose reply was lost is carried out
 * once. A reply counts when its body has arrived, except for a stream, which is returned when it begins.
 */
export function retrying(retry: Retry, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method === "POST" && !request.headers.has("Idempotency-Key"))
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt + 1 >= retry.attempts;
      const response = await attemptOnce(request.clone(), retry.timeout, send).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error;
        return undefined;
      });
      if (response && (isLast || !RETRIED.has(response.status))) {
        checkVersion(response);
        return response;
      }
      const pause = Math.random() * Math.min(retry.longest, retry.first * 2 ** attempt);
      await sleep(pause + (response ? retryAfter(response) : 0));
    }
  };
}

async function attemptOnce(request: Request, timeout: number, send: typeof fetch): Promise<Response> {
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(new Error(`no answer in ${timeout} seconds`)), 1000 * timeout);
  try {
    const response = await send(request, { signal: AbortSignal.any([request.signal, slow.signal]) });
    if (isStream(response)) return response;
    const body = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
  } finally {
    clearTimeout(timer);
  }
}

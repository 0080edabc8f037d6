// Verifies the outcomes of chance from the public history and the seed. Algorithm `hmac-sha256-v1`:
//
// 1. The commitment is the SHA-256 of the seed.
// 2. The event with version v uses the bytes of HMAC-SHA256(seed, "v/0"), then "v/1", and so on.
// 3. pick(n) takes the next byte below 256 - 256 mod n, and returns it mod n.
// 4. An outcome is a sequence of picks: cards from the unseen cards, dice from their faces.
//
// The fourth step is each game's own: its module exports `chance`, a procedure that returns the outcome that is due.

import { t } from "./texts.js";

/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */
/** @typedef {import("./chance.js").Pick} Pick */
/** @typedef {import("./chance.js").Procedure} Procedure */
/** @typedef {{text: string, ok: boolean | null}} Check `null`: it could not be checked. */

export const ALGORITHM = "hmac-sha256-v1";

/** Whether this page can verify: browsers offer Web Crypto only over HTTPS and on localhost. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/**
 * @param {object} evidence
 * @param {HistoryEvent[]} evidence.events All of them.
 * @param {string} evidence.seed
 * @param {string | null} evidence.commitment As published before the first move.
 * @param {number} evidence.from The seed determines the events after this version.
 * @param {Procedure} [evidence.procedure] How chance is asked in this game.
 * @returns {Promise<Check[]>}
 */
export async function verify({ events, seed, commitment, from, procedure }) {
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const digest = hex(await crypto.subtle.digest("SHA-256", bytes));
  const kept = digest === commitment;
  const committed = kept
    ? t("The secret number matches the fingerprint published before the first move.")
    : t("The secret number does not match the fingerprint published before the first move.");
  const checks = [{ text: committed, ok: kept }, await replay(bytes, procedure, events, from)];
  const unverified = events.slice(0, from).filter(({ actor }) => actor === "chance").length;
  if (unverified === 0) return checks;
  const text = t("{count} earlier deals, draws and rolls come from a saved game without its secret number.", {
    count: unverified,
  });
  return [...checks, { text, ok: null }];
}

/**
 * @param {BufferSource} seed
 * @param {Procedure | undefined} procedure
 * @param {HistoryEvent[]} events
 * @param {number} from
 * @returns {Promise<Check>}
 */
async function replay(seed, procedure, events, from) {
  if (!procedure) return { text: t("This page cannot check chance in this game."), ok: null };
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let recomputed = 0;
  for (const [index, event] of events.entries()) {
    if (event.version !== index + 1) return { text: t("Event {version} is missing in the history.", { version: index + 1 }), ok: false };
    if (event.actor === "chance") {
      const due = await procedure.next(picks(key, event.version));
      const isDetermined = event.version > from;
      if (isDetermined && due !== event.notation) {
        const { version, notation } = event;
        const text = t("Event {version} is “{notation}”, but the secret number gives “{due}”.", { version, notation, due });
        return { text, ok: false };
      }
      if (isDetermined) recomputed += 1;
    }
    procedure.note(event);
  }
  return { text: t("All {count} deals, draws and rolls follow from the secret number.", { count: recomputed }), ok: true };
}

/** The picks for one event. @param {CryptoKey} key @param {number} version @returns {Pick} */
function picks(key, version) {
  let block = 0;
  /** @type {number[]} */
  let stream = [];
  return async (n) => {
    for (;;) {
      while (stream.length > 0) {
        const byte = /** @type {number} */ (stream.shift());
        if (byte < 256 - (256 % n)) return byte % n;
      }
      const message = new TextEncoder().encode(`${version}/${block}`);
      stream = [...new Uint8Array(await crypto.subtle.sign("HMAC", key, message))];
      block += 1;
    }
  };
}

/** @param {ArrayBuffer} buffer */
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

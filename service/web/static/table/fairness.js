// Checks that chance was fair, on the public history and the seed alone. Algorithm `hmac-sha256-v1`:
//
// 1. The commitment is the SHA-256 of the seed.
// 2. The event with version v draws on the bytes of HMAC-SHA256(seed, "v/0"), then "v/1", and so on.
// 3. pick(n) takes the next byte below 256 - 256 mod n, and answers it mod n.
// 4. An outcome is a few picks in a row: cards from the unseen ones, dice from their faces.
//
// The fourth step is each game's own. A procedure below follows what is left to be drawn and says what comes next.

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").About} About */
/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */
/** @typedef {(n: number) => Promise<number>} Pick */
/** @typedef {{text: string, ok: boolean | null}} Check `null`: it could not be checked. */

/**
 * @typedef {object} Procedure
 * @property {(pick: Pick) => Promise<string>} next The notation of the outcome that is due.
 * @property {(event: HistoryEvent) => void} note Take notice of an event.
 */

export const ALGORITHM = "hmac-sha256-v1";

/** Whether this page can check at all: browsers keep Web Crypto for HTTPS and for this very machine. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/**
 * @param {object} evidence
 * @param {Game} evidence.start The game at version 0.
 * @param {About} evidence.about
 * @param {HistoryEvent[]} evidence.events All of them.
 * @param {string} evidence.seed
 * @param {string | null} evidence.commitment As published before the first move.
 * @returns {Promise<Check[]>}
 */
export async function verify({ start, about, events, seed, commitment }) {
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const digest = hex(await crypto.subtle.digest("SHA-256", bytes));
  const kept = digest === commitment;
  const committed = `The seed is ${kept ? "" : "not "}the one that was committed to before the first move.`;
  return [{ text: committed, ok: kept }, await replay(bytes, PROCEDURES[start.variant]?.(start, about), events)];
}

/**
 * @param {BufferSource} seed
 * @param {Procedure | undefined} procedure
 * @param {HistoryEvent[]} events
 * @returns {Promise<Check>}
 */
async function replay(seed, procedure, events) {
  if (!procedure) return { text: "This page does not know how chance is asked in this game.", ok: null };
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let recomputed = 0;
  for (const [index, event] of events.entries()) {
    if (event.version !== index + 1) return { text: `The history lacks event ${index + 1}.`, ok: false };
    if (event.actor === "chance") {
      const due = await procedure.next(picks(key, event.version));
      if (due !== event.notation) {
        return { text: `Event ${event.version} should have been “${due}”, not “${event.notation}”.`, ok: false };
      }
      recomputed += 1;
    }
    procedure.note(event);
  }
  return { text: `All ${recomputed} deals, draws and rolls follow from it.`, ok: true };
}

/** The picks of one event. @param {CryptoKey} key @param {number} version @returns {Pick} */
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

// Procedures: cards ------------------------------------------------------------------------------------------------

/** @param {Game} start @param {About} about @returns {Procedure} */
function duel({ position, phase, options }, { components }) {
  const { colours, numbers, wagers_per_colour, hand } = components;
  const letters = Object.keys(colours).slice(0, options.expeditions);
  const ranks = [...Array(wagers_per_colour).fill("w"), ...numbers];
  const deck = letters.flatMap((letter) => ranks.map((rank) => letter + rank));
  let unseen = without(deck, [position.hands, position.expeditions, position.discards]);
  let dealt = position.hands.filter((/** @type {string[]} */ cards) => cards.length > 0).length;
  let drawing = phase === "draw-deck";
  return {
    async next(pick) {
      if (drawing) return `draw ${unseen[await pick(unseen.length)]}`;
      if (dealt === position.hands.length) [unseen, dealt] = [[...deck], 0];
      const cards = await take([...unseen], hand, pick);
      return ["deal", dealt, ...inOrder(cards, deck)].join(" ");
    },
    note({ actor, notation }) {
      drawing = notation === "draw deck";
      if (actor !== "chance") return;
      const [verb, ...tokens] = notation.split(" ");
      unseen = without(unseen, verb === "deal" ? tokens.slice(1) : tokens);
      if (verb === "deal") dealt += 1;
    },
  };
}

/** @param {Game} start @param {About} about @returns {Procedure} */
function rivals({ position, phase }, { components }) {
  const { colours, copies_per_colour, starting_wagers_per_colour } = components;
  const letters = Object.keys(colours);
  // Names that are numbers come first in an object: the wager, which is none, is first among the cards.
  const ranks = Object.keys(copies_per_colour).sort((a, b) => (parseInt(a, 10) || 0) - (parseInt(b, 10) || 0));
  const cards = letters.flatMap((letter) =>
    ranks.flatMap((rank) => Array(copies_per_colour[rank]).fill(letter + rank)),
  );
  const wagers = letters.flatMap((letter) => Array(starting_wagers_per_colour).fill(`${letter}w`));
  const dealtBefore = position.starting_wagers.flat();
  // An expedition that a starting wager began holds one card that was never in the piles.
  const lying = without(
    named([position.display, position.expeditions, position.removed, position.unusable]),
    dealtBefore,
  );
  let unseen = without(cards, lying);
  let left = without(wagers, dealtBefore);
  let seat = position.starting_wagers.filter((/** @type {string[]} */ dealt) => dealt.length > 0).length;
  let revealing = phase === "reveal";
  return {
    async next(pick) {
      if (revealing) return `reveal ${unseen[await pick(unseen.length)]}`;
      const first = left[await pick(left.length)];
      const others = left.filter((wager) => wager !== first);
      const second = others[await pick(others.length)];
      return ["wagers", seat, ...inOrder([first, second], wagers)].join(" ");
    },
    note({ actor, notation }) {
      const [verb, ...tokens] = notation.split(" ");
      revealing = verb === "uncover" || verb === "done";
      if (actor !== "chance") return;
      if (verb === "reveal") unseen = without(unseen, tokens);
      else [left, seat] = [without(left, tokens), seat + 1];
    },
  };
}

// Procedures: dice -------------------------------------------------------------------------------------------------

/** @param {Game} _start @param {About} about @returns {Procedure} */
function rollAndWrite(_start, { components }) {
  const letters = Object.keys(components.colours);
  return {
    async next(pick) {
      const colours = await roll(letters, components.colour_dice, pick);
      const digits = await roll(components.digits, components.number_dice, pick);
      return ["roll", ...colours, ...digits].join(" ");
    },
    note() {},
  };
}

/** @param {Game} start @param {About} about @returns {Procedure} */
function treasureHunt({ position, phase }, { components }) {
  let thrown = phase === "reroll" ? components.dice - position.dice.length : components.dice;
  return {
    next: async (pick) => ["roll", ...(await roll(components.faces, thrown, pick))].join(" "),
    note({ notation }) {
      const [verb, ...faces] = notation.split(" ");
      thrown = verb === "reroll" ? faces.length : components.dice;
    },
  };
}

/** @type {Record<string, (start: Game, about: About) => Procedure>} */
const PROCEDURES = { duel, rivals, "roll-and-write": rollAndWrite, "treasure-hunt": treasureHunt };

// What they share --------------------------------------------------------------------------------------------------

/**
 * Picked one after the other without putting back.
 * @param {string[]} from @param {number} count @param {Pick} pick
 */
async function take(from, count, pick) {
  const taken = [];
  while (taken.length < count) taken.push(...from.splice(await pick(from.length), 1));
  return taken;
}

/** Dice, in the order of their faces. @template T @param {T[]} faces @param {number} dice @param {Pick} pick */
async function roll(faces, dice, pick) {
  const shown = [];
  while (shown.length < dice) shown.push(await pick(faces.length));
  return shown.sort((a, b) => a - b).map((face) => faces[face]);
}

/** @param {string[]} cards @param {string[]} order */
const inOrder = (cards, order) => cards.sort((a, b) => order.indexOf(a) - order.indexOf(b));

/** The cards that are left, each taken away as often as it is named. @param {string[]} cards @param {unknown} gone */
function without(cards, gone) {
  const left = [...cards];
  for (const card of named(gone)) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** Every card that is named anywhere in there. @param {any} lying @returns {string[]} */
function named(lying) {
  if (typeof lying === "string") return [lying];
  return Object.values(lying).flatMap(named);
}

// Cards, tiles, dice and coins. Every colour has a symbol too, so that colour is not the only distinction.

import { h, srOnly, svg } from "./dom.js";
import { t } from "./texts.js";
import { inPoints, spell } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */

/** SVG paths in a view box of 24 by 24, by name. @type {Record<string, string>} */
const SHAPES = {
  sun: "M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM3.5 4.9l1.4-1.4l2.9 2.9l-1.4 1.4zM16.2 17.6l1.4-1.4l2.9 2.9l-1.4 1.4zM3.5 19.1l2.9-2.9l1.4 1.4l-2.9 2.9zM16.2 6.4l2.9-2.9l1.4 1.4l-2.9 2.9z",
  waves:
    "M1 6c2.5 0 3-2 5.5-2s3 2 5.5 2s3-2 5.5-2s3 2 5.5 2v3.2c-2.5 0-3-2-5.5-2s-3 2-5.5 2s-3-2-5.5-2s-3 2-5.5 2zM1 12c2.5 0 3-2 5.5-2s3 2 5.5 2s3-2 5.5-2s3 2 5.5 2v3.2c-2.5 0-3-2-5.5-2s-3 2-5.5 2s-3-2-5.5-2s-3 2-5.5 2zM1 18c2.5 0 3-2 5.5-2s3 2 5.5 2s3-2 5.5-2s3 2 5.5 2v3.2c-2.5 0-3-2-5.5-2s-3 2-5.5 2s-3-2-5.5-2s-3 2-5.5 2z",
  mountain: "M1 21L9 5l4.2 8L16 9l7 12zM9 9.5L6.6 14.2L8.4 13l1.6 1.5l1.2-.9z",
  leaf: "M21 2C8 2 3 8 3 14c0 1.5.3 2.8.8 3.8C7 11.5 11 9 15 8c-4 2.2-7.5 5.5-10.5 13l2 1c.7-1.7 1.4-3.1 2.2-4.3C17 19 21 13 21 2z",
  flame:
    "M13 1c1 5 6 7.5 6 13.5A7 7 0 0 1 12 22a7 7 0 0 1-7-7c0-3 1.5-5 3-6.5c0 2 .5 3.3 1.7 4C9 8 11 5 13 1zm-.5 12c-.6 2-2.7 2.6-2.7 4.6a2.4 2.4 0 0 0 4.8 0c0-1.8-1.4-2.6-2.1-4.6z",
  gem: "M6 3h12l5 7l-11 12L1 10zM4.5 9.5h4L8 5.5zM10.5 9.5h3.2l-1.6-4.5zM15.5 9.5h4L16 5.5z",
  star: "M12 1.5l3.1 6.9l7.5.8l-5.6 5l1.6 7.4L12 17.8l-6.6 3.8L7 14.2l-5.6-5l7.5-.8z",
  rings:
    "M8.5 6a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zm0 2.6a3.9 3.9 0 1 1 0 7.8a3.9 3.9 0 1 1 0-7.8zM15.5 5c-1 0-2 .2-2.9.6c.8.6 1.5 1.3 2.1 2.1l.8-.1a3.9 3.9 0 1 1 0 7.8l-.8-.1c-.6.8-1.3 1.5-2.1 2.1A6.5 6.5 0 1 0 15.5 5z",
  foot: "M9 2c3.5 0 5 3.5 4.5 7.5c-.3 2.5.5 4 1 6.5c.7 3.5-1 6-3.5 6s-4-2-4-5c0-2.5-1.5-4.5-2-7.5C4.5 5.5 6 2 9 2zM16 3.5a1.5 2 0 1 1 3 0a1.5 2 0 1 1-3 0zM17.5 7.5a1.3 1.7 0 1 1 2.6 0a1.3 1.7 0 1 1-2.6 0z",
  arrow: "M12 2l8 9h-5v11H9V11H4z",
  first: "M4 4h3v16H4zM20 4v16L8 12z",
  back: "M20 4v16l-9-8zM5 4h4v16H5z",
  forward: "M7 4v16l11-8z",
  step: "M4 4v16l9-8zM15 4h4v16h-4z",
  pause: "M5 4h5v16H5zM14 4h5v16h-5z",
  last: "M17 4h3v16h-3zM4 4v16l12-8z",
  cross: "M5 3.5L12 10.5L19 3.5L20.5 5L13.5 12L20.5 19L19 20.5L12 13.5L5 20.5L3.5 19L10.5 12L3.5 5z",
  vase: "M8 2h8v3l-1.5 1.5C18 8.5 19 11 19 13.5c0 4-2.5 6.5-4 7.5v1H9v-1c-1.5-1-4-3.5-4-7.5C5 11 6 8.5 9.5 6.5L8 5z",
  die: "M4 2h16a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm3.5 3.5a2 2 0 1 0 0 4a2 2 0 1 0 0-4zm9 9a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM12 10a2 2 0 1 0 0 4a2 2 0 1 0 0-4z",
};

/** The symbol of each colour, by its letter. @type {Record<string, string>} */
const SYMBOLS = { Y: "sun", B: "waves", W: "mountain", G: "leaf", R: "flame", P: "gem", O: "star" };

/** @param {string} shape */
export const icon = (shape) =>
  svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: SHAPES[shape], "fill-rule": "evenodd" }),
  );

/** @param {string} letter */
export const symbol = (letter) => icon(SYMBOLS[letter] ?? "star");

/**
 * `R7`, `R10`, `Rw`, and `R6w` for a tile with its wager side up.
 * @param {string} name
 */
export function parts(name) {
  const letter = name.charAt(0);
  const isWager = name.endsWith("w");
  return { letter, number: name.slice(1).replace("w", ""), isWager };
}

/**
 * @typedef {object} Marks
 * @property {number} [footprints]
 * @property {string} [mark] Of the last move of a seat: the seat's sign.
 * @property {boolean} [isNew] Whether the viewer has just drawn it.
 */

/**
 * The face of a card, with footprints in games that use them.
 * @param {string} name
 * @param {string} spoken
 * @param {Marks} [marks]
 * @returns {HTMLElement}
 */
export function card(name, spoken, { footprints = 0, mark, isNew } = {}) {
  if (name === "?") return h("span", { class: "card back" }, srOnly(t("a hidden card")));
  const { letter, number, isWager } = parts(name);
  const rank = isWager ? icon("rings") : h("b", {}, number);
  return h(
    "span",
    { class: `card c-${letter}${isNew ? " new" : ""}`, "data-piece": name, "data-mark": mark },
    h("span", { class: "rank", "aria-hidden": "true" }, rank),
    symbol(letter),
    footprints > 0 && h("span", { class: "marks", "aria-hidden": "true" }, ...feet(footprints)),
    srOnly(isNew ? t("{card}, just drawn", { card: spoken }) : spoken),
  );
}

/**
 * A tile with its footprints.
 * @param {string} name
 * @param {string} spoken
 * @param {Marks} marks
 */
export function tile(name, spoken, { footprints = 0, mark }) {
  const { letter, number, isWager } = parts(name);
  return h(
    "span",
    { class: `tile c-${letter}${isWager ? " wager" : ""}`, "data-piece": letter + number, "data-mark": mark },
    h("b", { "aria-hidden": "true" }, number, isWager && icon("rings")),
    h("span", { class: "marks", "aria-hidden": "true" }, symbol(letter), ...feet(footprints)),
    srOnly(spoken),
  );
}

/**
 * The sign of a seat, if its last move was about a piece.
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} piece
 */
export function markOf({ game, events }, seat, piece) {
  const last = events.findLast(({ actor, notation }) => actor === seat && MOVES_A_PIECE.test(notation));
  return last?.notation.split(" ").slice(1).join("") === piece ? game.players[seat].charAt(0) : undefined;
}

/** Bids, passes and draws are about no piece that lies on the board afterwards. */
const MOVES_A_PIECE = /^(play|discard|take|write|circle|top|claim) /;

/** @param {number} count */
const feet = (count) => Array.from({ length: count }, () => icon("foot"));

/** The positions of a die's pips on a grid of three by three. @type {Record<string, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8] };

/** A die that shows pips, or a wager. @param {string} face @param {string} [piece] Names this throw of the die. */
export function pips(face, piece) {
  const spots = PIPS[face]?.map((at) =>
    svg("circle", { cx: 10 + (at % 3) * 14, cy: 10 + Math.floor(at / 3) * 14, r: 4.5 }),
  );
  const shown = spots ? svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, ...spots) : icon("rings");
  return h("span", { class: "die", "data-piece": piece }, shown, srOnly(face === "w" ? t("a wager") : face));
}

/** A die that shows a digit. @param {number} digit @param {string} [piece] */
export const digitDie = (digit, piece) => h("span", { class: "die digit", "data-piece": piece }, String(digit));

/** A die that shows a colour. @param {string} letter @param {string} spoken @param {string} [piece] */
export const colourDie = (letter, spoken, piece) =>
  h("span", { class: `die c-${letter}`, "data-piece": piece }, symbol(letter), srOnly(spoken));

/** @param {number} gold */
export const coin = (gold) => h("span", { class: "coin" }, String(gold));

/**
 * Expeditions side by side, one column for each colour. In a column the cards share the height that there is.
 * @param {Scene} scene
 * @param {number} seat
 * @param {(letter: string, ...content: import("./dom.js").Child[]) => HTMLElement} place Draws the element of a colour.
 */
export function columns(scene, seat, place) {
  const { about, game } = scene;
  const each = Object.entries(game.position.expeditions[seat]).map(([letter, cards]) => {
    const faces = cards.map((/** @type {string} */ name, /** @type {number} */ index) => {
      const mark = cards.lastIndexOf(name) === index ? markOf(scene, seat, name) : undefined;
      return card(name, spell(name, about), { mark });
    });
    const none = t("nothing yet");
    const spoken = t("{colour}: {cards}", { colour: about.labels.colours[letter], cards: cards.length ? "" : none });
    return h("li", {}, place(letter, srOnly(spoken), cards.length === 0 && symbol(letter), ...faces));
  });
  return h("ul", { class: "columns" }, ...each);
}

/** The seats in playing order, starting with the viewer's. @param {Scene} scene */
export function around({ game, me }) {
  const seats = game.players.map((_, seat) => seat);
  const first = me ?? 0;
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/**
 * A seat's name, state and points.
 * @param {Scene} scene
 * @param {number} seat
 * @param {...(Node | string)} more
 */
export function nameplate({ game, score, about, me }, seat, ...more) {
  const acts = game.to_act.includes(seat);
  return h(
    "h2",
    { class: `nameplate${acts ? " acts" : ""}`, "data-home": `seat ${seat}` },
    h("span", { class: "who" }, game.players[seat]),
    seat === me && h("span", { class: "tag" }, t("you")),
    game.resigned.includes(seat) && h("span", { class: "tag" }, t("has resigned")),
    game.bots[seat] && h("span", { class: "tag" }, t("{level} bot", { level: about.labels.bots[game.bots[seat]] })),
    acts && h("span", { class: "tag turn" }, t("to act")),
    ...more,
    h("span", { class: "total" }, inPoints(score.seats[seat].total)),
  );
}

// Roll & Write: six dice in the centre, and a sheet for each seat, filled from the bottom up.

import { roll } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, colourDie, digitDie, icon, nameplate, symbol } from "../pieces.js";
import { count, sentence, signed } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Move} Move */

/** @param {Scene} scene @returns {Node[]} */
export function draw(scene) {
  return [dice(scene), h("div", { class: "sheets" }, ...around(scene).map((seat) => sheet(scene, seat)))];
}

/** @param {Scene} scene */
function dice({ game, about, moves, spot }) {
  const { colours, numbers } = game.position.centre;
  const lying = [
    ...colours.map((/** @type {string} */ letter) => colourDie(letter, about.components.colours[letter])),
    ...numbers.map((/** @type {number} */ digit) => digitDie(digit)),
  ];
  const aside = moves.filter((move) => move.type === "refuse" || move.type === "stop");
  return h(
    "section",
    { class: "throws", "aria-label": "Dice" },
    h("div", { class: "dice" }, ...(lying.length ? lying : [h("span", { class: "none" }, "The dice are in the cup.")])),
    h(
      "div",
      { class: "then" },
      ...aside.map((move) => spot([move], { class: "button", label: ASIDE[move.type] }, ASIDE[move.type])),
    ),
  );
}

/** @type {Record<string, string>} */
const ASIDE = { refuse: "Refuse the dice and shade a dice symbol", stop: "Stop: do not accelerate" };

/** @param {Scene} scene @param {number} seat */
function sheet(scene, seat) {
  const { game, about } = scene;
  const columns = Object.keys(about.components.colours).map((letter) => expedition(scene, seat, letter));
  return h(
    "section",
    { class: `side sheet${seat === scene.me ? " mine" : ""}`, "aria-label": `Sheet of ${game.players[seat]}` },
    nameplate(scene, seat),
    h(
      "div",
      { class: "columns" },
      ...columns,
      symbols(scene, seat, "artefacts", "vase"),
      symbols(scene, seat, "dice", "die"),
    ),
  );
}

/**
 * The column of a colour, from the end artefact down to the circle.
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} letter
 */
function expedition(scene, seat, letter) {
  const { game, about, moves, spot, me } = scene;
  const colour = about.components.colours[letter];
  const { circle, numbers, end_artefact } = game.position.seats[seat].expeditions[letter];
  const { arrows, artefacts } = game.options.sheet;
  const mine = seat === me ? moves.filter((move) => move.colour === letter) : [];
  const isFull = numbers.length === about.components.boxes_per_column;
  const next = mine.filter((move) => move.type === "write" || (move.type === "accelerate" && !isFull));
  const top = mine.filter((move) => move.type === "top" || (move.type === "accelerate" && isFull));
  const boxes = Array.from({ length: about.components.boxes_per_column }, (_, index) => {
    const box = index + 1;
    const kind = arrows[letter]?.includes(box) ? "arrow" : artefacts[letter]?.includes(box) ? "vase" : null;
    const here = index === numbers.length ? next : [];
    const content = index < numbers.length ? h("b", {}, String(numbers[index])) : kind ? icon(kind) : "";
    return spot(here, { class: `box${index < numbers.length ? " full" : ""}`, label: labelled(here, colour) }, content);
  });
  boxes.splice(about.components.bridge_before_box - 1, 0, bridge(scene, seat, letter));
  return h(
    "div",
    {
      class: `column c-${letter}`,
      role: "group",
      "aria-label": `${colour}: ${numbers.join(", ") || "no number"}${circle ? ", circle marked" : ""}${end_artefact ? ", end artefact marked" : ""}`,
    },
    spot(
      top,
      { class: `box end${end_artefact ? " full" : ""}`, label: `Mark the end artefact of ${colour}` },
      icon("vase"),
    ),
    ...boxes.reverse(),
    spot(
      mine.filter((move) => move.type === "circle"),
      { class: `box round${circle ? " full" : ""}`, label: `Mark the circle of ${colour}` },
      circle ? "×2" : symbol(letter),
    ),
  );
}

/** The label of the next box: what a click on it does. @param {Move[]} moves @param {string} colour */
function labelled(moves, colour) {
  const [first] = moves;
  if (!first) return "";
  if (first.type === "accelerate") return `Accelerate ${colour}`;
  return `Write ${moves.map((move) => move.number).join(" or ")} in ${colour}`;
}

/** @type {Record<string, string>} */
const STANDING = { ahead: "", lost: "–", due: "…", bonus: "+20", late: "–" };

/** @param {Scene} scene @param {number} seat @param {string} column */
function bridge({ game, about }, seat, column) {
  const standing = game.position.seats[seat].bridges[column];
  return h(
    "div",
    { class: `bridge is-${standing}` },
    h("span", { "aria-hidden": "true" }, STANDING[standing]),
    srOnly(`Bridge: ${about.components.bridge_standings[standing]}`),
  );
}

/**
 * A column of symbols to be shaded.
 * @param {Scene} scene
 * @param {number} seat
 * @param {"artefacts" | "dice"} column
 * @param {string} shape
 */
function symbols(scene, seat, column, shape) {
  const { about, game } = scene;
  const marks = game.position.seats[seat];
  const boxes = Array.from({ length: about.components.boxes_per_column }, (_, index) =>
    h("div", { class: `box small${index < marks[column] ? " full" : ""}` }, icon(shape)),
  );
  boxes.splice(about.components.bridge_before_box - 1, 0, bridge(scene, seat, column));
  return h(
    "div",
    { class: "column", role: "group", "aria-label": `${column}: ${marks[column]} shaded` },
    h("div", { class: "box none" }),
    ...boxes.reverse(),
    h("div", { class: "box none" }),
  );
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @param {Scene["game"]} game @param {number} seat */
export const prompt = ({ position }, seat) =>
  position.seats[seat].turn === "accelerate"
    ? "Accelerate an expedition, or stop"
    : "Choose a colour and a number: mark a glowing box, or refuse the dice";

/**
 * "8 boxes: 35, × 2" for a column, "red, dice: 2 × 20" for the bridges.
 * @param {import("../types.js").ScoreLine} line
 */
export function steps({ boxes, circle, value, multiplier, columns, bonus }) {
  if (columns) return columns.length > 0 ? `${columns.join(", ")}: ${columns.length} × ${bonus}` : "";
  if (!boxes && !circle) return "";
  return `${boxes ? count(boxes, "box", "boxes") : "circle only"}: ${value}${multiplier > 1 ? `, × ${multiplier}` : ""}`;
}

/**
 * @param {import("../types.js").About} about
 * @param {any} options
 * @returns {import("../rules.js").Section[]}
 */
export function rules({ components, scales }, { order, sheet, ten_may_start }) {
  const { boxes_per_column: boxes, bridge_before_box, colour_dice, number_dice } = components;
  return [
    [
      "The aim",
      `You have a sheet with ${Object.keys(components.colours).length} expeditions. Fill their boxes from the bottom up: a short expedition costs points, a long one earns many.`,
    ],
    [
      "A turn",
      [
        `The active player rolls ${colour_dice} colour dice and ${number_dice} number dice, and takes one of each.`,
        `Then all others choose one colour and one number from the dice that are left${order === "clockwise" ? ", in turn" : ""}. Several players may choose the same dice.`,
        "Write the number into the next free box of that colour. It must not be lower than the number below it. A 0 counts as 10.",
        "If you want none of the dice, refuse: that shades your next dice symbol.",
      ],
    ],
    [
      "What a box does",
      [
        `A 0 before the first number marks the circle below the expedition, which doubles its points, losses too.${ten_may_start ? " It may also start the expedition as a 10." : ""}`,
        "An arrow: you may accelerate. The next box of any expedition gets the number below it again, or a 1 if it is the first.",
        "A vase: shade an artefact.",
        `After ${boxes} numbers, one more that fits marks the end of the expedition and shades an artefact.`,
        `A bridge lies before box ${bridge_before_box} of each column. The first player to pass it gets ${scales.bridge} points; several who do so in the same turn all get them.`,
      ],
    ],
    [
      "The end",
      `The game ends after the turn in which the last of the ${components.columns.length} bridges was passed, or when all players have shaded all ${boxes} dice symbols.`,
    ],
    [
      "The score",
      "Points by the number of boxes filled in a column. An expedition of 0 boxes is one whose circle alone is marked; an untouched one counts 0.",
      scaleTable(sheet.scales),
    ],
  ];
}

/** @param {Record<string, number[]>} scales Points by filled boxes. */
function scaleTable(scales) {
  const cells = (/** @type {"th" | "td"} */ tag, /** @type {(number | string)[]} */ values) =>
    values.map((value) => h(tag, tag === "th" ? { scope: "col" } : {}, signed(value)));
  const [longest] = Object.values(scales);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Points" },
    h(
      "table",
      { class: "scale" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          ...cells(
            "th",
            longest.map((_, filled) => filled),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        ...Object.entries(scales).map(([name, points]) =>
          h("tr", {}, h("th", { scope: "row" }, sentence(name)), ...cells("td", points)),
        ),
      ),
    ),
  );
}

// Chance -----------------------------------------------------------------------------------------------------------

/**
 * Follows what chance can still draw, to check its outcomes.
 * @param {import("../types.js").Game} _start
 * @param {import("../types.js").About} about
 * @returns {import("../chance.js").Procedure}
 */
export function chance(_start, { components }) {
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

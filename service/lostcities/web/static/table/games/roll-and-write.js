// Roll & Write: six dice in the centre, and a sheet for each seat, filled from the bottom up.

import { roll } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, colourDie, digitDie, icon, nameplate, symbol } from "../pieces.js";

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
const STANDING = { ahead: "", due: "…", bonus: "+20", late: "–" };

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

// Roll & Write: six dice in the dock, and a sheet for each seat, filled from the bottom up.

import { roll } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, colourDie, digitDie, icon, nameplate, symbol } from "../pieces.js";
import { t } from "../texts.js";
import { alternatives, itemName, list, said, sentence, signed, spell } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Move} Move */

export const cover = () => [colourDie("R", ""), colourDie("B", ""), digitDie(4), digitDie(7)];

/** @param {Scene} scene @returns {import("../types.js").Drawing} */
export function draw(scene) {
  const sheets = h("div", { class: "sheets" }, ...around(scene).map((seat) => sheet(scene, seat)));
  if (scene.game.status === "finished") return { board: [sheets], dock: [] };
  return { board: [sheets], dock: [dice(scene)] };
}

/** The numbers are pieces: a number is chosen, then the box for it. @param {Scene} scene */
function dice({ game, about, moves, spot, events }) {
  const { colours, numbers } = game.position.centre;
  const rolls = events.filter(({ actor }) => actor === "chance").length;
  const colourDice = colours.map((/** @type {string} */ letter, /** @type {number} */ index) =>
    colourDie(letter, about.labels.colours[letter], `colour ${rolls} ${index}`),
  );
  const numberDice = numbers.map((/** @type {number} */ digit, /** @type {number} */ index) =>
    spot(
      moves.filter((move) => (move.type === "circle" ? digit === 0 : move.number === (digit || 10))),
      {
        key: `number ${index}`,
        class: "number",
        part: "piece",
        label: t("Number {number}", { number: digit }),
        why: t("This number fits into no box of the colours that were rolled."),
        hot: String(index + 1),
      },
      digitDie(digit, `number ${rolls} ${index}`),
    ),
  );
  const lying = [...colourDice, ...numberDice];
  const aside = moves.filter((move) => move.type === "refuse" || move.type === "stop");
  const keys = { refuse: "r", stop: "s" };
  return h(
    "section",
    { class: "throws", "aria-label": t("Dice") },
    h(
      "div",
      { class: "dice", "data-home": "supply" },
      ...(lying.length ? lying : [h("span", { class: "none" }, t("The dice are in the cup."))]),
    ),
    h(
      "div",
      { class: "then" },
      ...aside.map((move) => {
        const type = /** @type {"refuse" | "stop"} */ (move.type);
        return spot([move], { key: type, class: "button", label: asideName(type), hot: keys[type] }, asideName(type));
      }),
    ),
  );
}

/** @param {"refuse" | "stop"} type */
const asideName = (type) =>
  type === "refuse" ? t("Refuse the dice and shade a dice symbol") : t("Stop: do not accelerate");

/** @param {Scene} scene @param {number} seat */
function sheet(scene, seat) {
  const { game, about } = scene;
  const columns = Object.keys(about.components.colours).map((letter) => expedition(scene, seat, letter));
  return h(
    "section",
    {
      class: `side sheet${seat === scene.me ? " mine" : ""}`,
      "aria-label": t("Sheet of {name}", { name: game.players[seat] }),
    },
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
  const colour = about.labels.colours[letter];
  const { circle, numbers, end_artefact } = game.position.seats[seat].expeditions[letter];
  const { arrows, artefacts } = game.options.sheet;
  const mine = seat === me ? moves.filter((move) => move.colour === letter) : [];
  const isFull = numbers.length === about.components.boxes_per_column;
  const next = mine.filter((move) => move.type === "write" || (move.type === "accelerate" && !isFull));
  const top = mine.filter((move) => move.type === "top" || (move.type === "accelerate" && isFull));
  const last = lastWritten(scene, seat, letter);
  const part = (/** @type {Move[]} */ moves, /** @type {any} */ look, /** @type {any} */ content) =>
    seat === me ? spot(moves, { why: noFit(), ...look }, content) : h("div", { class: look.class }, content);
  const boxes = Array.from({ length: about.components.boxes_per_column }, (_, index) => {
    const box = index + 1;
    const kind = arrows[letter]?.includes(box) ? "arrow" : artefacts[letter]?.includes(box) ? "vase" : null;
    const here = index === numbers.length ? next : [];
    const isWritten = index < numbers.length;
    const mark = last && index === numbers.length - 1 ? game.players[seat].charAt(0) : null;
    const content = isWritten
      ? h("b", { "data-mark": mark, "data-piece": `${seat} ${letter} ${index}` }, String(numbers[index]))
      : kind
        ? icon(kind)
        : "";
    const look = {
      key: `box ${letter} ${box}`,
      class: `box${isWritten ? " full" : ""}`,
      label: labelled(here, colour),
      title: t("{colour}, box {number}", { colour, number: box }),
    };
    return part(here, look, content);
  });
  boxes.splice(about.components.bridge_before_box - 1, 0, bridge(scene, seat, letter));
  const standing = [
    numbers.join(", ") || t("no number"),
    circle && t("circle marked"),
    end_artefact && t("end artefact marked"),
  ];
  return h(
    "div",
    {
      class: `column c-${letter}`,
      role: "group",
      "aria-label": t("{colour}: {cards}", { colour, cards: standing.filter(Boolean).join(", ") }),
    },
    part(
      top,
      {
        key: `end ${letter}`,
        class: `box end${end_artefact ? " full" : ""}`,
        label: t("Mark the end artefact of {colour}", { colour }),
        title: t("{colour}, end artefact", { colour }),
      },
      icon("vase"),
    ),
    ...boxes.reverse(),
    part(
      mine.filter((move) => move.type === "circle"),
      {
        key: `circle ${letter}`,
        class: `box round${circle ? " full" : ""}`,
        label: t("Mark the circle of {colour}", { colour }),
        title: t("{colour}, circle", { colour }),
        why: t("A circle is marked with a 0, before the first number of its colour."),
      },
      circle ? "×2" : symbol(letter),
    ),
  );
}

const noFit = () =>
  t("Only the next free box of a colour that was rolled can be filled, with a number that is not lower than the one below it.");

/** Whether a seat wrote its last number in a column. @param {Scene} scene @param {number} seat @param {string} letter */
function lastWritten({ events }, seat, letter) {
  const last = events.findLast(({ actor, notation }) => actor === seat && /^(write|accelerate|circle|top) /.test(notation));
  return last?.notation.split(" ")[1] === letter && /^(write|accelerate)/.test(last.notation);
}

/** The label of the next box: what a tap on it does. @param {Move[]} moves @param {string} colour */
function labelled(moves, colour) {
  const [first] = moves;
  if (!first) return "";
  if (first.type === "accelerate") return t("Accelerate {colour}", { colour });
  return t("Write {numbers} in {colour}", { numbers: alternatives(moves.map((move) => String(move.number))), colour });
}

/** @type {Record<string, string>} */
const STANDING = { ahead: "", lost: "–", due: "…", bonus: "+20", late: "–" };

/** @returns {Record<string, string>} */
const standings = () => ({
  ahead: t("not passed, and the bonus can still be got"),
  lost: t("not passed, and the bonus has gone to others"),
  due: t("passed in this turn: the bonus is given when the turn ends"),
  bonus: t("passed, and the bonus got"),
  late: t("passed after the bonus had gone to others"),
});

/** @param {Scene} scene @param {number} seat @param {string} column */
function bridge({ game }, seat, column) {
  const standing = game.position.seats[seat].bridges[column];
  return h(
    "div",
    { class: `bridge is-${standing}` },
    h("span", { "aria-hidden": "true" }, STANDING[standing]),
    srOnly(t("Bridge: {standing}", { standing: standings()[standing] ?? standing })),
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
  const count = game.position.seats[seat][column];
  const boxes = Array.from({ length: about.components.boxes_per_column }, (_, index) =>
    h("div", { class: `box small${index < count ? " full" : ""}` }, icon(shape)),
  );
  boxes.splice(about.components.bridge_before_box - 1, 0, bridge(scene, seat, column));
  const label = column === "artefacts" ? t("Artefacts: {count} shaded", { count }) : t("Dice symbols: {count} shaded", { count });
  return h(
    "div",
    { class: "column", role: "group", "aria-label": label },
    h("div", { class: "box none" }),
    ...boxes.reverse(),
    h("div", { class: "box none" }),
  );
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @param {Scene["game"]} game @param {number} seat */
export const prompt = ({ position }, seat) =>
  position.seats[seat].turn === "accelerate"
    ? t("Accelerate an expedition, or stop")
    : t("Choose a colour and a number: mark a glowing box, or refuse the dice");

/** @param {Scene} scene @param {number} own */
export function guide({ game, me }, own) {
  if (own > 2) return null;
  if (me !== null && game.position.seats[me].turn === "accelerate") {
    return t("The arrow lets you fill one more box of any colour, with the number below it again.");
  }
  return t("Tap a number, then a glowing box. Numbers may not fall on the way up, so begin low. Short columns cost points: fill few of them high, and refuse dice that fit badly.");
}

/** @param {import("../types.js").HistoryEvent} event @param {Scene} scene */
export function tell({ actor, notation }, scene) {
  const { game, about } = scene;
  const [verb, first, second] = notation.split(" ");
  if (verb === "roll") {
    const dice = notation.split(" ").slice(1);
    return t("The dice show {dice}", { dice: list(dice.map((die) => spell(die, about))) });
  }
  const values = { name: game.players[Number(actor)], colour: spell(first ?? "", about), number: second ?? "" };
  switch (verb) {
    case "write":
      return said(scene, actor, t("You wrote {number} in {colour}", values), t("{name} wrote {number} in {colour}", values));
    case "circle":
      return said(scene, actor, t("You marked the circle of {colour}", values), t("{name} marked the circle of {colour}", values));
    case "top":
      return said(scene, actor, t("You marked the end of {colour}", values), t("{name} marked the end of {colour}", values));
    case "accelerate":
      return said(scene, actor, t("You accelerated {colour}", values), t("{name} accelerated {colour}", values));
    case "refuse":
      return said(scene, actor, t("You refused the dice"), t("{name} refused the dice", values));
    case "stop":
      return said(scene, actor, t("You did not accelerate"), t("{name} did not accelerate", values));
    default:
      return null;
  }
}

/** @param {Move} move @param {import("../types.js").About} about */
export function name({ type, colour: letter, number }, about) {
  const colour = spell(letter ?? "", about);
  if (type === "write") return t("Write {numbers} in {colour}", { numbers: number ?? "", colour });
  if (type === "top") return t("Mark the end artefact of {colour}", { colour });
  if (type === "circle") return t("Mark the circle of {colour}", { colour });
  if (type === "accelerate") return t("Accelerate {colour}", { colour });
  return asideName(/** @type {"refuse" | "stop"} */ (type));
}

/** The number in a box. A die shows its own. @param {Move} move @param {import("../types.js").Look["part"]} [part] */
export const verb = ({ type, number }, part) => (type === "write" && part !== "piece" ? `${number}:` : "");

/** @returns {Record<string, import("../options.js").OptionText>} */
export const options = () => ({
  order: {
    label: t("Order of the others"),
    text: t("How the players choose who did not roll."),
    choices: { simultaneous: t("all at once"), clockwise: t("one after the other") },
  },
  sheet: {
    label: t("Sheet"),
    text: t("For experts: where arrows and artefacts are printed, and what a column counts, as JSON."),
  },
  ten_may_start: {
    label: t("A 10 may start"),
    text: t("Whether a 0 may start an expedition as a 10."),
  },
});

/**
 * "8 boxes: 35, × 2" for a column, "red, dice symbols: 2 × 20" for the bridges.
 * @param {import("../types.js").ScoreLine} line
 * @param {import("../types.js").About} about
 */
export function steps({ boxes, circle, value, multiplier, columns, bonus }, about) {
  if (columns) {
    const names = columns.map((/** @type {string} */ column) => itemName(column, about)).join(", ");
    return columns.length > 0 ? `${names}: ${columns.length} × ${bonus}` : "";
  }
  if (!boxes && !circle) return "";
  const filled = !boxes ? t("circle only") : boxes === 1 ? t("1 box") : t("{count} boxes", { count: boxes });
  return `${filled}: ${value}${multiplier > 1 ? `, × ${multiplier}` : ""}`;
}

/**
 * @param {import("../types.js").About} about
 * @param {any} options
 * @returns {import("../rules.js").Section[]}
 */
export function rules({ components, scales }, { order, sheet, ten_may_start }) {
  const { boxes_per_column: boxes, bridge_before_box: box, colour_dice, number_dice } = components;
  return [
    [
      t("The aim"),
      t("You have a sheet with {columns} expeditions. Fill their boxes from the bottom up: a short expedition costs points, a long one earns many.", { columns: Object.keys(components.colours).length }),
    ],
    [
      t("A turn"),
      [
        t("The active player rolls {colour_dice} colour dice and {number_dice} number dice, and takes one of each.", { colour_dice, number_dice }),
        order === "clockwise"
          ? t("Then all others choose one colour and one number from the dice that are left, in turn. Several players may choose the same dice.")
          : t("Then all others choose one colour and one number from the dice that are left. Several players may choose the same dice."),
        t("Write the number into the next free box of that colour. It must not be lower than the number below it. A 0 counts as 10."),
        t("If you want none of the dice, refuse: that shades your next dice symbol."),
      ],
    ],
    [
      t("What a box does"),
      [
        ten_may_start
          ? t("A 0 before the first number marks the circle below the expedition, which doubles its points, losses too. It may also start the expedition as a 10.")
          : t("A 0 before the first number marks the circle below the expedition, which doubles its points, losses too."),
        t("An arrow: you may accelerate. The next box of any expedition gets the number below it again, or a 1 if it is the first."),
        t("A vase: shade an artefact."),
        t("After {boxes} numbers, one more that fits marks the end of the expedition and shades an artefact.", { boxes }),
        t("A bridge lies before box {box} of each column. The first player to pass it gets {points} points; several who do so in the same turn all get them.", { box, points: scales.bridge }),
      ],
    ],
    [
      t("The end"),
      t("The game ends after the turn in which the last of the {bridges} bridges was passed, or when all players have shaded all {boxes} dice symbols.", { bridges: components.columns.length, boxes }),
    ],
    [
      t("The score"),
      t("Points by the number of boxes filled in a column. An expedition of 0 boxes is one whose circle alone is marked; an untouched one counts 0."),
      scaleTable(sheet.scales),
    ],
  ];
}

/** @param {string} scale */
function scaleName(scale) {
  if (scale === "expedition") return t("expedition");
  return scale === "artefacts" ? t("artefacts") : t("dice symbols");
}

/** @param {Record<string, number[]>} scales Points by filled boxes. */
function scaleTable(scales) {
  const cells = (/** @type {"th" | "td"} */ tag, /** @type {(number | string)[]} */ values) =>
    values.map((value) => h(tag, tag === "th" ? { scope: "col" } : {}, signed(value)));
  const [longest] = Object.values(scales);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": t("Points") },
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
          h("tr", {}, h("th", { scope: "row" }, sentence(scaleName(name))), ...cells("td", points)),
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

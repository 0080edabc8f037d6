// Treasure hunt: three dice, the tiles and bonus tiles in the centre, and each seat's tiles.

import { roll } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, icon, nameplate, parts, pips, symbol, tile } from "../pieces.js";
import { count, list, sentence, spell } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

/** @param {Scene} scene @returns {Node[]} */
export function draw(scene) {
  const seats = around(scene).map((seat) => taken(scene, seat));
  return [dice(scene), centre(scene), bonuses(scene), h("div", { class: "hunters" }, ...seats)];
}

/** The dice. The player selects the dice to reroll, then rerolls them together. @param {Scene} scene */
function dice({ game, moves, spot, cover, picked, redraw }) {
  const faces = game.position.dice;
  const rerolls = moves.filter((move) => move.type === "reroll");
  cover(rerolls);
  const toggle = (/** @type {number} */ index) => {
    if (!picked.delete(index)) picked.add(index);
    redraw();
  };
  const lying = faces.map((/** @type {string} */ face, /** @type {number} */ index) =>
    rerolls.length === 0
      ? pips(face)
      : h(
          "button",
          {
            class: `spot throw${picked.has(index) ? " picked" : ""}`,
            "aria-pressed": String(picked.has(index)),
            "aria-label": `Die ${index + 1} shows ${face === "w" ? "a wager" : face}: throw it again`,
            "data-key": `die ${index}`,
            onclick: () => toggle(index),
          },
          pips(face),
        ),
  );
  const wanted = [...picked]
    .map((index) => faces[index])
    .sort()
    .join(" ");
  const again = rerolls.filter((move) => move.dice?.join(" ") === wanted);
  const keep = moves.filter((move) => move.type === "keep" || move.type === "skip" || move.type === "end");
  const numbers = game.position.numbers;
  return h(
    "section",
    { class: "throws", "aria-label": "Dice" },
    h("div", { class: "dice" }, ...(lying.length ? lying : [h("span", { class: "none" }, "The dice are in the cup.")])),
    h(
      "div",
      { class: "then" },
      ...again.map((move) =>
        spot([move], { class: "button primary", label: `Throw ${picked.size} again` }, `Throw ${picked.size} again`),
      ),
      ...keep.map((move) => spot([move], { class: "button", label: sentence(move.notation) }, WORDS[move.type])),
    ),
    numbers.length > 0 && h("p", { class: "due" }, `Sums: ${numbers.join(", ")}`),
  );
}

/** @type {Record<string, string>} */
const WORDS = { keep: "Keep the dice", skip: "Skip: take no tile", end: "End the turn" };

/**
 * The tiles in the centre. Tiles with a wager side lie with it up until they are taken.
 * @param {Scene} scene
 */
function centre({ game, about, moves, spot }) {
  const { plain, wager } = game.options.footprints;
  const numbers = about.components.numbers;
  const side = game.position.dice.includes("w") ? "wager side up" : "plain side up";
  const rows = Object.entries(game.position.centre.tiles).map(([letter, names]) =>
    h(
      "ul",
      { class: `tiles c-${letter}`, "aria-label": sentence(about.components.colours[letter]) },
      ...numbers.map((/** @type {number} */ number) => {
        const name = `${letter}${number}`;
        if (!names.includes(name)) return h("li", { class: "gone", "aria-hidden": "true" });
        const spoken = spell(name, about);
        const isWager = about.components.wager_numbers.includes(number);
        return h(
          "li",
          {},
          spot(
            moves.filter((move) => move.tile === name),
            { class: "lying", label: isWager ? `Take ${spoken}, ${side}` : `Take ${spoken}` },
            isWager ? tile(`${name}w`, spell(`${name}w`, about), wager[number]) : tile(name, spoken, plain[number - 1]),
          ),
        );
      }),
    ),
  );
  return h("section", { class: "centre", "aria-label": "Tiles in the centre" }, ...rows);
}

/** @param {Scene} scene */
function bonuses({ game, about, moves, spot, me }) {
  const conditions = me === null ? null : game.position.conditions[me];
  const left = game.position.centre.bonuses.map((/** @type {string} */ name) => {
    const missing = conditions?.missing[name];
    const standing = !conditions
      ? ""
      : missing === undefined
        ? "fulfilled"
        : missing === null
          ? "out of reach"
          : `${missing} missing`;
    return h(
      "li",
      {},
      spot(
        moves.filter((move) => move.bonus === name),
        { class: "bonus", label: `Claim: ${about.components.bonuses[name]}` },
        h("span", { class: "condition" }, about.components.bonuses[name]),
        standing && h("small", {}, standing),
      ),
    );
  });
  return h("section", { "aria-label": "Bonus tiles" }, h("ul", { class: "bonuses" }, ...left));
}

/** A seat's tiles by colour, and its bonus tiles. @param {Scene} scene @param {number} seat */
function taken(scene, seat) {
  const { game, about } = scene;
  const { plain, wager } = game.options.footprints;
  const rows = Object.entries(game.position.expeditions[seat]).map(([letter, names]) =>
    h(
      "li",
      { class: `c-${letter}` },
      names.length === 0
        ? h("span", { class: "nothing" }, symbol(letter), srOnly(`${about.components.colours[letter]}: nothing yet`))
        : null,
      ...names.map((/** @type {string} */ name) => {
        const { number, isWager } = parts(name);
        return tile(name, spell(name, about), isWager ? wager[number] : plain[Number(number) - 1]);
      }),
    ),
  );
  const claimed = game.position.bonuses[seat].map((/** @type {string} */ name) =>
    h("li", {}, icon("star"), about.components.bonuses[name]),
  );
  return h(
    "section",
    { class: "side", "aria-label": `Tiles of ${game.players[seat]}` },
    nameplate(scene, seat),
    h("ul", { class: "taken" }, ...rows),
    claimed.length > 0 && h("ul", { class: "claimed" }, ...claimed),
  );
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const PROMPTS = {
  "keep-or-reroll": "Keep the dice, or pick those that you throw again",
  take: "Take a tile whose number you threw, or skip",
  claim: "Claim a bonus tile, or end your turn",
};

/** @param {Scene["game"]} game */
export const prompt = ({ phase }) => PROMPTS[phase] ?? "Wait for the dice";

/**
 * "4 footprints × 2". A bonus tile has no steps.
 * @param {import("../types.js").ScoreLine} line
 */
export function steps({ footprints, multiplier }) {
  if (!footprints) return "";
  return `${count(footprints, "footprint")}${multiplier > 1 ? ` × ${multiplier}` : ""}`;
}

/**
 * @param {import("../types.js").About} about
 * @param {any} options
 * @returns {import("../rules.js").Section[]}
 */
export function rules({ components, scales }, { max_turns }) {
  const { numbers, wager_numbers, dice, bonuses, ending_bonuses } = components;
  const special = list(wager_numbers.map(String));
  return [
    [
      "The aim",
      "Collect tiles in five colours. Their footprints are points, wagers multiply them, and bonus tiles reward the sets that you complete.",
    ],
    [
      "Your turn",
      [
        `Throw ${dice} dice. Once, you may throw some or all of them again.`,
        "Take a tile whose number is on one die, or is the sum of two or all three. A wager on a die counts 0. You may also skip.",
        "The tile must be higher than all tiles of its colour that you have.",
        "Claim each bonus tile whose condition you meet. It is yours for the rest of the game.",
      ],
    ],
    [
      "Wagers",
      `The tiles ${special} lie with their wager side up. Such a tile keeps this side up only if a die shows a wager when you take it. Otherwise it is turned over and is a tile like the others.`,
    ],
    ["Bonus tiles", `Each counts ${scales.bonus} points:`, Object.values(bonuses).map((text) => sentence(text))],
    [
      "The end",
      `The game ends after the turn in which the last ${numbers.at(-1)} or the last bonus tile was taken. With two players the last of ${ending_bonuses[2].length} bonus tiles is enough: those for four tiles of one colour and the one for all colours.${max_turns ? ` This game has at most ${max_turns} turns.` : ""}`,
    ],
    [
      "The score",
      "A colour counts its footprints. One wager side doubles them, two triple them, three count four times. Add the bonus tiles.",
    ],
  ];
}

// Chance -----------------------------------------------------------------------------------------------------------

/**
 * Follows what chance can still draw, to check its outcomes.
 * @param {import("../types.js").Game} start
 * @param {import("../types.js").About} about
 * @returns {import("../chance.js").Procedure}
 */
export function chance({ position, phase }, { components }) {
  let thrown = phase === "reroll" ? components.dice - position.dice.length : components.dice;
  return {
    next: async (pick) => ["roll", ...(await roll(components.faces, thrown, pick))].join(" "),
    note({ notation }) {
      const [verb, ...faces] = notation.split(" ");
      thrown = verb === "reroll" ? faces.length : components.dice;
    },
  };
}

// Treasure hunt: the tiles and bonus tiles in the centre and each seat's tiles on the board, the dice in the dock.

import { roll } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, icon, markOf, nameplate, parts, pips, symbol, tile } from "../pieces.js";
import { t } from "../texts.js";
import { list, said, sentence, spell, spellAll } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

export const cover = () => [pips("3"), pips("w"), tile("P6", "", { footprints: 2 }), tile("G5", "", { footprints: 1 })];

/** @param {Scene} scene @returns {import("../types.js").Drawing} */
export function draw(scene) {
  const seats = around(scene).map((seat) => taken(scene, seat));
  const board = [centre(scene), bonuses(scene), h("div", { class: "hunters" }, ...seats)];
  return { board, dock: scene.game.status === "finished" ? [] : [dice(scene)] };
}

/** The dice. The player selects the dice to reroll, then rerolls them together. @param {Scene} scene */
function dice({ game, moves, spot, cover, picked, redraw, worth, events }) {
  const faces = game.position.dice;
  const rolls = events.filter(({ actor }) => actor === "chance").length;
  const rerolls = moves.filter((move) => move.type === "reroll");
  cover(rerolls);
  const toggle = (/** @type {number} */ index) => {
    if (!picked.delete(index)) picked.add(index);
    redraw();
  };
  const lying = faces.map((/** @type {string} */ face, /** @type {number} */ index) => {
    const die = pips(face, `die ${rolls} ${index}`);
    if (rerolls.length === 0) return die;
    const shown = face === "w" ? t("a wager") : face;
    return h(
      "button",
      {
        class: `spot throw${picked.has(index) ? " picked" : ""}`,
        type: "button",
        "aria-pressed": String(picked.has(index)),
        "aria-label": t("Die {number} shows {face}: throw it again", { number: index + 1, face: shown }),
        "data-key": `die ${index}`,
        "data-hot": String(index + 1),
        onclick: () => toggle(index),
      },
      die,
      worth(rerolls.filter((move) => move.dice?.join(" ") === face)),
    );
  });
  const wanted = [...picked]
    .map((index) => faces[index])
    .sort()
    .join(" ");
  const again = rerolls.filter((move) => move.dice?.join(" ") === wanted);
  const keep = moves.filter((move) => move.type === "keep" || move.type === "skip" || move.type === "end");
  const numbers = game.position.numbers;
  const throwAgain = picked.size === 1 ? t("Throw 1 die again") : t("Throw {count} dice again", { count: picked.size });
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
      ...again.map((move) => spot([move], { key: "again", class: "button primary", label: throwAgain, hot: "t" }, throwAgain)),
      ...keep.map((move) => {
        const text = closing(move.type);
        return spot([move], { key: move.type, class: "button", label: text, hot: move.type.charAt(0) }, text);
      }),
    ),
    numbers.length > 0 && h("p", { class: "due" }, t("You can make {numbers}.", { numbers: list(numbers.map(String)) })),
  );
}

/** @param {string} type */
function closing(type) {
  if (type === "keep") return t("Keep the dice");
  return type === "skip" ? t("Skip: take no tile") : t("End the turn");
}

/**
 * The tiles in the centre. Tiles with a wager side lie with it up until they are taken.
 * @param {Scene} scene
 */
function centre({ game, about, moves, spot }) {
  const { plain, wager } = game.options.footprints;
  const numbers = about.components.numbers;
  const isWagered = game.position.dice.includes("w");
  const rows = Object.entries(game.position.centre.tiles).map(([letter, names]) =>
    h(
      "ul",
      { class: `tiles c-${letter}`, "aria-label": sentence(about.labels.colours[letter]) },
      ...numbers.map((/** @type {number} */ number) => {
        const name = `${letter}${number}`;
        if (!names.includes(name)) return h("li", { class: "gone", "aria-hidden": "true", "data-key": `gone ${name}` });
        const spoken = spell(name, about);
        const isWager = about.components.wager_numbers.includes(number);
        const label = !isWager
          ? t("Take {card}", { card: spoken })
          : isWagered
            ? t("Take {card}, wager side up", { card: spoken })
            : t("Take {card}, plain side up", { card: spoken });
        return h(
          "li",
          { "data-key": name },
          spot(
            moves.filter((move) => move.tile === name),
            {
              key: `tile ${name}`,
              class: "lying",
              label,
              means: () => (game.phase === "take" ? `take ${name}` : null),
              why: t("First keep the dice, or throw some of them again."),
            },
            isWager
              ? tile(`${name}w`, spell(`${name}w`, about), { footprints: wager[number] })
              : tile(name, spoken, { footprints: plain[number - 1] }),
          ),
        );
      }),
    ),
  );
  return h("section", { class: "centre", "aria-label": t("Tiles in the centre") }, ...rows);
}

/** @param {Scene} scene */
function bonuses({ game, about, moves, spot, me }) {
  const conditions = me === null ? null : game.position.conditions[me];
  const left = game.position.centre.bonuses.map((/** @type {string} */ name) => {
    const text = about.labels.bonuses[name];
    return h(
      "li",
      { "data-key": name },
      spot(
        moves.filter((move) => move.bonus === name),
        {
          key: `bonus ${name}`,
          class: "bonus",
          label: t("Claim: {bonus}", { bonus: text }),
          why: t("A bonus tile is claimed at the end of your turn, when you have what it asks for."),
        },
        h("span", { class: "condition" }, text),
        h("small", {}, conditions ? missing(conditions.missing[name]) : ""),
      ),
    );
  });
  return h("section", { "aria-label": t("Bonus tiles") }, h("ul", { class: "bonuses" }, ...left));
}

/** @param {number | null | undefined} tiles The tiles that are missing: `undefined` none, `null` too many. */
function missing(tiles) {
  if (tiles === undefined) return t("fulfilled");
  if (tiles === null) return t("out of reach");
  return tiles === 1 ? t("1 missing") : t("{count} missing", { count: tiles });
}

/** A seat's tiles by colour, and its bonus tiles. @param {Scene} scene @param {number} seat */
function taken(scene, seat) {
  const { game, about } = scene;
  const { plain, wager } = game.options.footprints;
  const none = t("nothing yet");
  const rows = Object.entries(game.position.expeditions[seat]).map(([letter, names]) =>
    h(
      "li",
      { class: `c-${letter}` },
      names.length === 0
        ? h(
            "span",
            { class: "nothing" },
            symbol(letter),
            srOnly(t("{colour}: {cards}", { colour: about.labels.colours[letter], cards: none })),
          )
        : null,
      ...names.map((/** @type {string} */ name) => {
        const { number, isWager } = parts(name);
        const footprints = isWager ? wager[number] : plain[Number(number) - 1];
        return tile(name, spell(name, about), { footprints, mark: markOf(scene, seat, letter + number) });
      }),
    ),
  );
  const claimed = game.position.bonuses[seat].map((/** @type {string} */ name) =>
    h("li", {}, icon("star"), about.labels.bonuses[name]),
  );
  return h(
    "section",
    { class: "side", "aria-label": t("Tiles of {name}", { name: game.players[seat] }) },
    nameplate(scene, seat),
    h("ul", { class: "taken" }, ...rows),
    claimed.length > 0 && h("ul", { class: "claimed" }, ...claimed),
  );
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @param {Scene["game"]} game */
export function prompt({ phase }) {
  if (phase === "keep-or-reroll") return t("Keep the dice, or pick those that you throw again");
  if (phase === "take") return t("Take a tile whose number you threw, or skip");
  return phase === "claim" ? t("Claim a bonus tile, or end your turn") : t("Wait for the dice");
}

/** @param {Scene} scene @param {number} own */
export function guide({ game }, own) {
  if (own > 2) return null;
  if (game.phase === "keep-or-reroll") {
    return t("Tap the dice that you want to throw again, once. A tile needs a number that one die shows, or the sum of two or all three.");
  }
  if (game.phase === "take") {
    return t("Take a glowing tile. In each colour your numbers may only rise, so begin low. A wager (two rings) on the dice and on the tile doubles its colour.");
  }
  return null;
}

/** @param {import("../types.js").HistoryEvent} event @param {Scene} scene */
export function tell({ actor, notation }, scene) {
  const { game, about } = scene;
  const [verb, first, ...more] = notation.split(" ");
  if (verb === "roll") return t("The dice show {dice}", { dice: spellAll([first, ...more], about) });
  const values = { name: game.players[Number(actor)], card: spell(first ?? "", about) };
  const faces = { ...values, dice: spellAll([first, ...more].filter(Boolean), about) };
  switch (verb) {
    case "take":
      return said(scene, actor, t("You took {card}", values), t("{name} took {card}", values));
    case "keep":
      return said(scene, actor, t("You kept the dice"), t("{name} kept the dice", values));
    case "reroll":
      return said(scene, actor, t("You threw {dice} again", faces), t("{name} threw {dice} again", faces));
    case "skip":
      return said(scene, actor, t("You took no tile"), t("{name} took no tile", values));
    case "claim":
      return said(scene, actor, t("You claimed a bonus: {card}", values), t("{name} claimed a bonus: {card}", values));
    case "end":
      return said(scene, actor, t("You ended your turn"), t("{name} ended the turn", values));
    default:
      return null;
  }
}

/** @param {import("../types.js").Move} move @param {import("../types.js").About} about */
export function name({ type, tile: wanted, bonus, dice }, about) {
  if (type === "take") return t("Take {card}", { card: spell(wanted ?? "", about) });
  if (type === "claim") return t("Claim: {bonus}", { bonus: about.labels.bonuses[bonus ?? ""] });
  if (type === "reroll") return t("Throw {dice} again", { dice: spellAll(dice ?? [], about) });
  return closing(type);
}

/** @param {import("../types.js").Move} move */
export const verb = ({ type }) => (type === "reroll" ? t("again") : "");

/** @returns {Record<string, import("../options.js").OptionText>} */
export const options = () => ({
  footprints: {
    label: t("Footprints"),
    text: t("For experts: the footprints on the ten plain sides and on the wager sides, as JSON."),
  },
  max_turns: {
    label: t("Max turns"),
    text: t("The game ends after so many turns of all players together. Empty: no limit."),
    min: 1,
    max: 1000,
    isOpen: true,
  },
});

/**
 * "4 footprints × 2". A bonus tile has no steps.
 * @param {import("../types.js").ScoreLine} line
 */
export function steps({ footprints, multiplier }) {
  if (!footprints) return "";
  const walked = footprints === 1 ? t("1 footprint") : t("{count} footprints", { count: footprints });
  return `${walked}${multiplier > 1 ? ` × ${multiplier}` : ""}`;
}

/**
 * @param {import("../types.js").About} about
 * @param {any} options
 * @returns {import("../rules.js").Section[]}
 */
export function rules({ components, scales }, { max_turns }) {
  const { numbers, wager_numbers, dice, bonuses, ending_bonuses } = components;
  return [
    [
      t("The aim"),
      t("Collect tiles in five colours. Their footprints are points, wagers multiply them, and bonus tiles reward the sets that you complete."),
    ],
    [
      t("Your turn"),
      [
        t("Throw {dice} dice. Once, you may throw some or all of them again.", { dice }),
        t("Take a tile whose number is on one die, or is the sum of two or all three. A wager on a die counts 0. You may also skip."),
        t("The tile must be higher than all tiles of its colour that you have."),
        t("Claim each bonus tile whose condition you meet. It is yours for the rest of the game."),
      ],
    ],
    [
      t("Wagers"),
      t("The tiles {numbers} lie with their wager side up: two rings. Such a tile keeps this side up only if a die shows a wager when you take it. Otherwise it is turned over and is a tile like the others.", { numbers: list(wager_numbers.map(String)) }),
    ],
    [t("Bonus tiles"), t("Each counts {points} points:", { points: scales.bonus }), Object.values(bonuses).map((text) => sentence(text))],
    [
      t("The end"),
      t("The game ends after the turn in which the last {number} or the last bonus tile was taken. With two players the last of {count} bonus tiles is enough: those for four tiles of one colour and the one for all colours.", { number: numbers.at(-1), count: ending_bonuses[2].length }),
      max_turns !== null && t("This game has at most {max_turns} turns.", { max_turns }),
    ],
    [
      t("The score"),
      t("A colour counts its footprints. One wager side doubles them, two triple them, three count four times. Add the bonus tiles."),
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

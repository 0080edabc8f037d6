// Rivals: the display and the pile, the auction below them, then each seat's gold and expeditions.

import { inOrder, named, without } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, card, coin, columns, nameplate } from "../pieces.js";
import { count, list, sentence, spell } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

/** @param {Scene} scene @returns {Node[]} */
export function draw(scene) {
  const seats = around(scene).map((seat) => expeditions(scene, seat));
  return [middle(scene), auction(scene), h("div", { class: "rivals" }, ...seats)];
}

/** The display and the pile. @param {Scene} scene */
function middle({ game, about, moves, spot }) {
  const { display, pile, piles, supply } = game.position;
  const cards = display.map((/** @type {string} */ name) => {
    const wanted = moves.filter((move) => move.card === name);
    const spoken = spell(name, about);
    return h(
      "li",
      {},
      spot(
        wanted,
        { class: "shown", label: `${sentence(spoken)}: take or remove`, ask: true },
        card(name, spoken, about.components.footprints[name.slice(1)]),
      ),
    );
  });
  const over = moves.filter((move) => move.type === "uncover" || move.type === "done");
  const label = over.some((move) => move.type === "done") ? "Done: turn over the next card" : "Uncover the next card";
  return h(
    "section",
    { class: "display", "aria-label": "Display and pile" },
    spot(
      over,
      { class: "pile", label: `${label}, ${pile} left in the pile` },
      h("span", { class: "card back" }, h("b", {}, String(pile)), srOnly("cards in the pile")),
      h("small", { class: "count" }, piles.length ? `+ ${piles.join(", ")}` : "last pile"),
    ),
    h("ul", { class: "row", "aria-label": "Display" }, ...cards),
    h("p", { class: "supply" }, coin(supply), " gold in the supply"),
  );
}

/** The state of the auction, and the legal bids as coins. @param {Scene} scene */
function auction({ game, moves, spot }) {
  const { auction: running } = game.position;
  const bids = moves.filter((move) => move.type === "bid");
  if (!running && bids.length === 0) return document.createDocumentFragment();
  const names = running?.in.map((/** @type {number} */ seat) => game.players[seat]);
  const standing = running
    ? `${game.players[running.holder]} bids ${running.bid}. Still in: ${list(names)}.`
    : "Open an auction for the display:";
  const pass = moves.filter((move) => move.type === "pass");
  return h(
    "section",
    { class: "auction", "aria-label": "Auction" },
    h("p", {}, standing),
    h(
      "div",
      { class: "coins" },
      ...pass.map((move) => spot([move], { class: "button", label: "Pass" }, "Pass")),
      ...bids.map((move) => spot([move], { class: "bid", label: `Bid ${move.gold}` }, coin(move.gold ?? 0))),
    ),
  );
}

/** @param {Scene} scene @param {number} seat */
function expeditions(scene, seat) {
  const { game } = scene;
  const gold = game.position.gold[seat];
  return h(
    "section",
    { class: "side", "aria-label": `Expeditions of ${game.players[seat]}` },
    nameplate(scene, seat, h("span", { class: "purse" }, `${gold} gold`)),
    columns(scene, game.position.expeditions[seat]),
  );
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @param {Scene["game"]} game */
export function prompt({ phase, position }) {
  if (phase === "auction") return `Bid more than ${position.auction.bid} gold, or pass`;
  if (phase === "take") return takePrompt(position);
  return position.display.length > 0 ? "Uncover a card or open an auction" : "Uncover a card";
}

/** What the winner of an auction can still do. @param {any} position */
function takePrompt({ display, removals }) {
  if (display.length === 0) return "Turn over the next card";
  const remove = removals > 0 ? ", remove one if you like" : "";
  return `Take cards from the display${remove}, then turn over the next card`;
}

/**
 * "6 footprints × 3 = 18, + 8".
 * @param {import("../types.js").ScoreLine} line
 */
export function steps({ footprints, multiplier, product, bonus, coins }) {
  if (coins !== undefined) return count(coins, "coin");
  const walked = footprints ? count(footprints, "footprint") : "";
  return [walked && multiplier > 1 ? `${walked} × ${multiplier} = ${product}` : walked, bonus && `+ ${bonus}`]
    .filter(Boolean)
    .join(", ");
}

/**
 * @param {import("../types.js").About} about
 * @param {any} options
 * @returns {import("../rules.js").Section[]}
 */
export function rules({ components, scales }, { piles }) {
  const { gold, gold_per_seat, starting_wagers_per_seat, footprints } = components;
  const { bonus, bonus_from_numbers } = scales;
  const prints = (/** @type {number} */ count) => Object.keys(footprints).filter((rank) => footprints[rank] === count);
  const range = (/** @type {string[]} */ ranks) => `${ranks[0]} to ${ranks.at(-1)}`;
  const shares = Object.entries(gold_per_seat).map(([seats, share]) => `${share} with ${seats} players`);
  return [
    [
      "The aim",
      "Buy cards at auctions and lay them on your expeditions, one in each colour. Footprints on your cards are points, and so is the gold that you keep.",
    ],
    [
      "Your turn",
      "Do one of two things:",
      [
        "Uncover the top card of the pile. It joins the display. A card that no player can use leaves the game.",
        "Open an auction for the display with a bid of at least 1 gold.",
      ],
    ],
    [
      "An auction",
      "In turn each player bids more or drops out, until one is left. That player pays the bid, takes any cards of the display that fit, may remove one card from the game, and turns over the next card. Then it is the turn of the player after the winner.",
    ],
    [
      "Your expeditions",
      `You begin with ${starting_wagers_per_seat} wagers. A number must be equal to or higher than the last one of its colour. Wagers can be added only before the first number.`,
    ],
    [
      "Gold and piles",
      `The ${gold} gold are shared out at the start: ${list(shares)}. The cards come in ${piles.length} piles. After the last card of a pile the gold that was paid is shared out evenly. The last card of the last pile ends the game at once.`,
    ],
    [
      "The score",
      [
        `The numbers ${range(prints(1))} show 1 footprint, ${range(prints(2))} show 2, wagers none.`,
        "An expedition counts its footprints. One wager doubles them, two triple them, and so on.",
        `${bonus_from_numbers} or more numbers in one colour earn ${bonus} points more.`,
        "Each gold coin counts 1 point.",
      ],
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

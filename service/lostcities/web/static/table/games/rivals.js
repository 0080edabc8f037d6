// Rivals: the display and the pile, the auction below them, then each seat's gold and expeditions.

import { inOrder, named, without } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, card, coin, columns, nameplate } from "../pieces.js";
import { list, sentence, spell } from "../words.js";

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

// Rivals: the display and the pile in the middle, the auction below them, everybody's gold and expeditions around.

import { h, heard } from "../dom.js";
import { around, card, coin, columns, nameplate } from "../pieces.js";
import { list, sentence, spell } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

/** @param {Scene} scene @returns {Node[]} */
export function draw(scene) {
  const seats = around(scene).map((seat) => expeditions(scene, seat));
  return [middle(scene), auction(scene), h("div", { class: "rivals" }, ...seats)];
}

/** What lies open, and the pile that more comes from. @param {Scene} scene */
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
      h("span", { class: "card back" }, h("b", {}, String(pile)), heard("cards in the pile")),
      h("small", { class: "count" }, piles.length ? `+ ${piles.join(", ")}` : "last pile"),
    ),
    h("ul", { class: "row", "aria-label": "Display" }, ...cards),
    h("p", { class: "supply" }, coin(supply), " gold in the supply"),
  );
}

/** The bids that can be made, as coins. @param {Scene} scene */
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

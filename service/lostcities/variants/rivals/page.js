// Rivals: each seat's gold and expeditions on the board; the display, the pile and the auction in the dock.

import { inOrder, named, without } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { around, card, coin, columns, nameplate } from "../pieces.js";
import { t } from "../texts.js";
import { list, said, sentence, spell, spellAll } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

export const cover = () => [card("G3", "", { footprints: 1 }), card("Y8", "", { footprints: 2 }), coin(7), coin(2)];

/** @param {Scene} scene @returns {import("../types.js").Drawing} */
export function draw(scene) {
  const seats = around(scene).map((seat) => expeditions(scene, seat));
  const board = [h("div", { class: "rivals" }, ...seats)];
  const market = [middle(scene), ...auction(scene)];
  return scene.game.status === "finished" ? { board: [...market, ...board], dock: [] } : { board, dock: market };
}

/** The display and the pile. @param {Scene} scene */
function middle(scene) {
  const { game, about, moves, spot } = scene;
  const { display, pile, piles, supply } = game.position;
  const cards = display.map((/** @type {string} */ name, /** @type {number} */ index) => {
    const wanted = moves.filter((move) => move.card === name);
    const spoken = spell(name, about);
    const key = `display ${name} ${display.slice(0, index).filter((/** @type {string} */ each) => each === name).length}`;
    return h(
      "li",
      { "data-key": key },
      spot(
        wanted,
        {
          key,
          class: "shown",
          part: "piece",
          label: t("{card}: take or remove", { card: sentence(spoken) }),
          means: () => (game.phase === "take" ? `take ${name}` : null),
          why: t("To take cards of the display, open an auction and win it."),
          hot: String(index + 1),
        },
        card(name, spoken, { footprints: about.components.footprints[name.slice(1)] }),
      ),
    );
  });
  const over = moves.filter((move) => move.type === "uncover" || move.type === "done");
  const label = over.some((move) => move.type === "done") ? t("Done: turn over the next card") : t("Uncover the next card");
  return h(
    "section",
    { class: "display", "aria-label": t("Display and pile") },
    spot(
      over,
      {
        key: "pile",
        class: "pile",
        label: t("{action}, {count} left in the pile", { action: label, count: pile }),
        why: t("During an auction no card is turned over."),
        hot: "u",
        home: "supply",
      },
      h("span", { class: "card back" }, h("b", {}, String(pile)), srOnly(t("cards in the pile"))),
      h("small", { class: "count" }, morePiles(piles)),
    ),
    h("ul", { class: "row", tabindex: "0", "aria-label": t("Display") }, ...cards),
    removed(scene),
    h("p", { class: "supply" }, coin(supply), t("gold in the supply"), " · ", laterPiles(piles)),
  );
}

/** @param {number[]} piles The sizes of the piles that follow. */
function morePiles(piles) {
  if (piles.length === 0) return t("last pile");
  return piles.length === 1 ? t("1 more pile") : t("{count} more piles", { count: piles.length });
}

/** @param {number[]} piles */
const laterPiles = (piles) =>
  piles.length === 0
    ? t("The game ends with the last card of this pile.")
    : t("The next piles have {sizes} cards.", { sizes: list(piles.map(String)) });

/** The place for the card that leaves the game. @param {Scene} scene */
function removed({ game, moves, spot }) {
  const wanted = moves.filter((move) => move.type === "remove");
  if (game.phase !== "take" || wanted.length === 0) return null;
  const text = t("Remove a card from the game");
  return spot(wanted, { key: "removed", class: "button removed", part: "place", label: text, hot: "x" }, text);
}

/** The state of the auction, and the legal bids as coins. @param {Scene} scene */
function auction({ game, moves, spot }) {
  const { auction: running } = game.position;
  const bids = moves.filter((move) => move.type === "bid");
  if (!running && bids.length === 0) return [];
  const names = running?.in.map((/** @type {number} */ seat) => game.players[seat]);
  const standing = running
    ? t("{name} bids {bid}. Still in: {names}.", { name: game.players[running.holder], bid: running.bid, names: list(names) })
    : t("Open an auction for the display:");
  const pass = moves.filter((move) => move.type === "pass");
  const coins = bids.map((move) =>
    spot(
      [move],
      { key: `bid ${move.gold}`, class: "bid", label: t("Bid {gold}", { gold: move.gold ?? 0 }) },
      coin(move.gold ?? 0),
    ),
  );
  return [
    h(
      "section",
      { class: "auction", "aria-label": t("Auction") },
      h("p", {}, standing),
      h(
        "div",
        { class: "coins" },
        ...pass.map((move) => spot([move], { key: "pass", class: "button", label: t("Pass"), hot: "p" }, t("Pass"))),
        ...coins,
      ),
    ),
  ];
}

/** @param {Scene} scene @param {number} seat */
function expeditions(scene, seat) {
  const { game, about, moves, spot, me } = scene;
  const place = (/** @type {string} */ letter, /** @type {import("../dom.js").Child[]} */ ...content) => {
    const name = `column c-${letter}`;
    if (seat !== me) return h("div", { class: name }, ...content);
    const wanted = moves.filter((move) => move.type === "take" && move.card?.startsWith(letter));
    const label = t("Take to the {colour} expedition", { colour: about.labels.colours[letter] });
    return spot(
      wanted,
      {
        key: `column ${letter}`,
        class: name,
        part: "place",
        label,
        means: (chosen) => (chosen ? `take ${chosen.split(" ")[1]}` : null),
        why: t("The winner of an auction takes cards of the display. A card goes on the expedition of its own colour."),
      },
      ...content,
    );
  };
  return h(
    "section",
    { class: "side", "aria-label": t("Expeditions of {name}", { name: game.players[seat] }) },
    nameplate(scene, seat, h("span", { class: "purse" }, t("{gold} gold", { gold: game.position.gold[seat] }))),
    columns(scene, seat, place),
  );
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @param {Scene["game"]} game */
export function prompt({ phase, position }) {
  if (phase === "auction") return t("Bid more than {bid} gold, or pass", { bid: position.auction.bid });
  if (phase === "take") return takePrompt(position);
  return position.display.length > 0 ? t("Uncover a card or open an auction") : t("Uncover a card");
}

/** What the winner of an auction can still do. @param {any} position */
function takePrompt({ display, removals }) {
  if (display.length === 0) return t("Turn over the next card");
  return removals > 0
    ? t("Take cards from the display, remove one if you like, then turn over the next card")
    : t("Take cards from the display, then turn over the next card");
}

/** @param {Scene} scene @param {number} own */
export function guide({ game }, own) {
  if (own > 3) return null;
  if (game.phase === "auction") {
    return t("Bid if the cards of the display are worth more to you than the gold: gold that you keep is points too.");
  }
  if (game.phase === "take") {
    return t("You won. Tap a card and then your expedition of its colour, as often as you like. Numbers may not fall, wagers come first.");
  }
  return game.position.display.length > 1
    ? t("Uncover another card, or open an auction with a bid: tap a coin. The winner pays and takes what fits.")
    : t("Tap the pile to uncover a card. All cards in the display are auctioned together later. The cards with two rings are your first wagers: they multiply the points of their colour.");
}

/** @param {import("../types.js").HistoryEvent} event @param {Scene} scene */
export function tell({ actor, notation }, scene) {
  const { game, about } = scene;
  const [verb, first, ...cards] = notation.split(" ");
  if (verb === "reveal") return t("The card is {card}", { card: spell(first, about) });
  const seat = verb === "wagers" ? Number(first) : actor;
  const values = {
    name: game.players[Number(seat)],
    card: spell(first ?? "", about),
    cards: spellAll(cards, about),
    bid: first ?? "",
  };
  switch (verb) {
    case "wagers":
      return said(scene, seat, t("You begin with {cards}", values), t("{name} begins with {cards}", values));
    case "uncover":
      return said(scene, seat, t("You uncovered a card"), t("{name} uncovered a card", values));
    case "bid":
      return said(scene, seat, t("You bid {bid}", values), t("{name} bid {bid}", values));
    case "pass":
      return said(scene, seat, t("You passed"), t("{name} passed", values));
    case "take":
      return said(scene, seat, t("You took {card}", values), t("{name} took {card}", values));
    case "remove":
      return said(scene, seat, t("You removed {card}", values), t("{name} removed {card}", values));
    case "done":
      return said(scene, seat, t("You turned over the next card"), t("{name} turned over the next card", values));
    default:
      return null;
  }
}

/** @param {import("../types.js").Move} move @param {import("../types.js").About} about */
export function name({ type, card: wanted, gold }, about) {
  const shown = spell(wanted ?? "", about);
  if (type === "take") return t("Take {card}", { card: shown });
  if (type === "remove") return t("Remove {card}", { card: shown });
  if (type === "bid") return t("Bid {gold}", { gold: gold ?? 0 });
  if (type === "pass") return t("Pass");
  return type === "done" ? t("Done: turn over the next card") : t("Uncover the next card");
}

/** @param {import("../types.js").Move} move */
export const choice = ({ type }) => (type === "take" ? t("Take") : t("Remove"));

/** @param {import("../types.js").Move} move */
export const verb = ({ type }) => (type === "take" ? t("take") : type === "remove" ? t("remove") : "");

/** @returns {Record<string, import("../options.js").OptionText>} */
export const options = () => ({
  piles: {
    label: t("Piles"),
    text: t("The cards of each pile, in the order in which they are played: 80 in all."),
  },
});

/**
 * "6 footprints × 3 = 18, + 8".
 * @param {import("../types.js").ScoreLine} line
 */
export function steps({ footprints, multiplier, product, bonus, coins }) {
  if (coins !== undefined) return coins === 1 ? t("1 coin") : t("{count} coins", { count: coins });
  const walked = !footprints ? "" : footprints === 1 ? t("1 footprint") : t("{count} footprints", { count: footprints });
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
  const prints = (/** @type {number} */ count) => Object.keys(footprints).filter((rank) => footprints[rank] === count);
  const range = (/** @type {string[]} */ ranks) => t("{least} to {most}", { least: ranks[0], most: ranks.at(-1) ?? "" });
  const shares = Object.entries(gold_per_seat).map(([seats, share]) => t("{share} with {seats} players", { share: Number(share), seats }));
  return [
    [
      t("The aim"),
      t("Buy cards at auctions and lay them on your expeditions, one in each colour. Footprints on your cards are points, and so is the gold that you keep."),
    ],
    [
      t("Your turn"),
      t("Do one of two things:"),
      [
        t("Uncover the top card of the pile. It joins the display. A card that no player can use leaves the game."),
        t("Open an auction for the display with a bid of at least 1 gold."),
      ],
    ],
    [
      t("An auction"),
      t("In turn each player bids more or drops out, until one is left. That player pays the bid, takes any cards of the display that fit, may remove one card from the game, and turns over the next card. Then it is the turn of the player after the winner."),
    ],
    [
      t("Your expeditions"),
      t("You begin with {wagers} wagers, the cards with two rings. A number must be equal to or higher than the last one of its colour. Wagers can be added only before the first number.", { wagers: starting_wagers_per_seat }),
    ],
    [
      t("Gold and piles"),
      t("The {gold} gold are shared out at the start: {shares}. The cards come in {piles} piles. After the last card of a pile the gold that was paid is shared out evenly. The last card of the last pile ends the game at once.", { gold, shares: list(shares), piles: piles.length }),
    ],
    [
      t("The score"),
      [
        t("The numbers {one} show 1 footprint, {two} show 2, wagers none.", { one: range(prints(1)), two: range(prints(2)) }),
        t("An expedition counts its footprints. One wager doubles them, two triple them, and so on."),
        t("{numbers} or more numbers in one colour earn {bonus} points more.", { numbers: scales.bonus_from_numbers, bonus: scales.bonus }),
        t("Each gold coin counts 1 point."),
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

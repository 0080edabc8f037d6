// The duel: two rows of expeditions, the discard piles and the deck between them, and the hand.

import { inOrder, take, without } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { card, columns, nameplate, parts, symbol } from "../pieces.js";
import { sentence, spell } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

/** @param {Scene} scene @returns {Node[]} */
export function draw(scene) {
  const { game, me } = scene;
  const near = me ?? 0;
  const colours = Object.keys(game.position.discards);
  const board = h(
    "div",
    { class: `duel colours-${colours.length}` },
    expeditions(scene, 1 - near),
    middle(scene, colours),
    expeditions(scene, near),
  );
  return [board, ...knownCards(scene, 1 - near), ...knownCards(scene, near), ...hands(scene, near)];
}

/** @param {Scene} scene @param {number} seat */
function expeditions(scene, seat) {
  const { game } = scene;
  const held = game.position.hands[seat].length;
  return h(
    "section",
    { class: "side", "aria-label": `Expeditions of ${game.players[seat]}` },
    nameplate(scene, seat, h("span", { class: "held" }, `${held} cards in hand`)),
    columns(scene, game.position.expeditions[seat]),
  );
}

/** @param {Scene} scene @param {string[]} colours */
function middle(scene, colours) {
  const { game, about, moves, spot } = scene;
  const { discards, deck, closed } = game.position;
  const piles = colours.map((letter) => {
    const pile = discards[letter];
    const top = pile.at(-1);
    const name = about.components.colours[letter];
    const isClosed = closed === letter;
    return h(
      "li",
      {},
      spot(
        moves.filter((move) => move.type === "draw" && move.from === letter),
        {
          class: `pile${top ? "" : " empty"}`,
          label: top ? `Draw ${spell(top, about)} from the ${name} discard pile` : "",
        },
        top
          ? card(top, `${spell(top, about)} on top of the ${name} discard pile`)
          : h("span", { class: `card void c-${letter}` }, symbol(letter), srOnly(`${name} discard pile: empty`)),
        h("small", { class: "count" }, isClosed ? "closed" : pile.length ? `${pile.length}` : ""),
      ),
    );
  });
  const deckSpot = spot(
    moves.filter((move) => move.type === "draw" && move.from === "deck"),
    { class: "pile deck", label: `Draw from the deck, ${deck} cards left` },
    h("span", { class: "card back" }, h("b", {}, String(deck)), srOnly("cards in the deck")),
    h("small", { class: "count" }, "deck"),
  );
  return h(
    "section",
    { class: "middle", "aria-label": "Deck and discard piles" },
    h("ul", { class: "columns" }, ...piles),
    deckSpot,
  );
}

/**
 * The cards of a hidden hand that every seat has seen, because they were drawn from a discard pile.
 * @param {Scene} scene
 * @param {number} seat
 */
function knownCards({ game, about }, seat) {
  /** @type {string[]} */
  const cards = game.position.hands[seat];
  const known = cards.filter((name) => name !== "?");
  if (!known.length || known.length === cards.length) return [];
  const title = `Known cards of ${game.players[seat]}`;
  const faces = known.map((name) => h("li", {}, card(name, spell(name, about))));
  return [h("section", { class: "known", "aria-label": title }, h("h2", {}, title), h("ul", {}, ...faces))];
}

/**
 * The visible hands: the viewer's hand, or all hands when the game is over.
 * @param {Scene} scene
 * @param {number} near
 */
function hands(scene, near) {
  const { game } = scene;
  return [near, 1 - near]
    .filter((seat) => game.position.hands[seat].length && !game.position.hands[seat].includes("?"))
    .map((seat) => hand(scene, seat));
}

/** @param {Scene} scene @param {number} seat */
function hand(scene, seat) {
  const { game, about, moves, spot, me } = scene;
  const title = seat === me ? "Your hand" : `Hand of ${game.players[seat]}`;
  const cards = game.position.hands[seat].map((/** @type {string} */ name) => {
    const mine = seat === me ? moves.filter((move) => move.card === name) : [];
    const spoken = spell(name, about);
    return h(
      "li",
      {},
      spot(
        mine,
        { class: `held c-${parts(name).letter}`, label: `${sentence(spoken)}: play or discard`, ask: true },
        card(name, spoken),
      ),
    );
  });
  return h("section", { class: "hand", "aria-label": title }, h("h2", {}, title), h("ul", {}, ...cards));
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @param {Scene["game"]} game */
export const prompt = ({ phase }) =>
  phase === "play" ? "Play a card or discard it" : "Draw a card from the deck or from a discard pile";

/**
 * As on the score sheet: "29 - 20 = 9, × 2 = 18, + 20". A finished round has its expeditions.
 * @param {import("../types.js").ScoreLine} line
 * @returns {string}
 */
export function steps({ cards, numbers, cost, difference, multiplier, product, bonus, expeditions = [] }) {
  if (!cards) {
    /** @type {import("../types.js").ScoreLine[]} */
    const started = expeditions.filter((/** @type {{cards: number}} */ { cards }) => cards > 0);
    return started.map((line) => `${line.item}: ${steps(line)}`).join("; ");
  }
  return [
    `${numbers} - ${-cost} = ${difference}`,
    ...(multiplier > 1 ? [`× ${multiplier} = ${product}`] : []),
    ...(bonus ? [`+ ${bonus}`] : []),
  ].join(", ");
}

/**
 * @param {import("../types.js").About} about
 * @param {any} options
 * @returns {import("../rules.js").Section[]}
 */
export function rules({ components, scales }, { expeditions, redraw_own_discard, rounds, max_turns }) {
  const { numbers, wagers_per_colour, cards, hand } = components;
  const { expedition_cost: cost, bonus, bonus_from_cards } = scales;
  return [
    [
      "The aim",
      `Each of the ${expeditions} colours is a journey that you may begin or leave alone. A journey costs ${cost} points, and the cards that you play on it have to bring in more.`,
    ],
    [
      "Your turn",
      [
        "First put down one card of your hand: play it on your own expedition of its colour, or discard it face up on the pile of its colour.",
        `Then draw one card: from the deck, or the top card of a discard pile${redraw_own_discard ? "" : ", but not the card that you have just discarded"}.`,
      ],
      `There are ${cards[expeditions]} cards: in each colour the numbers ${numbers[0]} to ${numbers.at(-1)} and ${wagers_per_colour} wagers. You always hold ${hand} at the end of your turn.`,
    ],
    [
      "Playing on an expedition",
      "Every number must be higher than the last one there. You may leave gaps, but you cannot go back. Wagers come first: after the first number no wager can follow.",
    ],
    [
      "The end",
      `When the last card of the deck is drawn, the round is over at once. The cards in your hand count nothing.${max_turns ? ` A round has at most ${max_turns} turns.` : ""}`,
      rounds > 1 && `This match has ${rounds} rounds, and their points add up.`,
    ],
    [
      "The score",
      [
        `An expedition counts the sum of its numbers minus ${cost}.`,
        "One, two or three wagers multiply that by 2, 3 or 4, also when it is a loss.",
        `With ${bonus_from_cards} or more cards, wagers included, it earns ${bonus} points more.`,
        "A colour in which you played nothing counts 0.",
      ],
      `Example: a wager, 4, 7, 8 and 10 count (29 − ${cost}) × 2 = ${(29 - cost) * 2} points. A wager alone costs ${cost * 2}.`,
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
export function chance({ position, phase, options }, { components }) {
  const { colours, numbers, wagers_per_colour, hand } = components;
  const letters = Object.keys(colours).slice(0, options.expeditions);
  const ranks = [...Array(wagers_per_colour).fill("w"), ...numbers];
  const deck = letters.flatMap((letter) => ranks.map((rank) => letter + rank));
  let unseen = without(deck, [position.hands, position.expeditions, position.discards]);
  let dealt = position.hands.filter((/** @type {string[]} */ cards) => cards.length > 0).length;
  let drawing = phase === "draw-deck";
  return {
    async next(pick) {
      if (drawing) return `draw ${unseen[await pick(unseen.length)]}`;
      if (dealt === position.hands.length) [unseen, dealt] = [[...deck], 0];
      const cards = await take([...unseen], hand, pick);
      return ["deal", dealt, ...inOrder(cards, deck)].join(" ");
    },
    note({ actor, notation }) {
      drawing = notation === "draw deck";
      if (actor !== "chance") return;
      const [verb, ...tokens] = notation.split(" ");
      unseen = without(unseen, verb === "deal" ? tokens.slice(1) : tokens);
      if (verb === "deal") dealt += 1;
    },
  };
}

// The duel: two rows of expeditions, the discard piles and the deck between them, and the hand.

import { inOrder, take, without } from "../chance.js";
import { h, srOnly } from "../dom.js";
import { isMove } from "../history.js";
import { card, columns, markOf, nameplate, parts, symbol } from "../pieces.js";
import { t } from "../texts.js";
import { itemName, said, sentence, spell, spellAll } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

export const cover = () => [card("Rw", ""), card("R4", ""), card("R7", ""), card("B9", "")];

/** @param {Scene} scene @returns {import("../types.js").Drawing} */
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
  const others = [near, 1 - near].filter((seat) => isOpen(scene, seat)).map((seat) => hand(scene, seat));
  const known = [...knownCards(scene, 1 - near), ...knownCards(scene, near)];
  // A player's hand is always on the screen. Open hands at the end are part of the board.
  if (me === null || game.status === "finished") return { board: [board, ...known, ...others], dock: [] };
  return { board: [board, ...known], dock: others };
}

/** @param {Scene} scene @param {number} seat */
function expeditions(scene, seat) {
  const { game, about, moves, spot, me } = scene;
  const held = game.position.hands[seat].length;
  const isDrawing = game.phase === "draw";
  const place = (/** @type {string} */ letter, /** @type {import("../dom.js").Child[]} */ ...content) => {
    const name = `column c-${letter}`;
    if (seat !== me) return h("div", { class: name }, ...content);
    const wanted = moves.filter((move) => move.type === "play" && move.card?.startsWith(letter));
    return spot(
      wanted,
      {
        key: `column ${letter}`,
        class: name,
        part: "place",
        label: t("Play on the {colour} expedition", { colour: about.labels.colours[letter] }),
        means: (chosen) => (chosen ? `play ${cardOf(chosen)}` : null),
        why: isDrawing ? nowDraw() : t("Choose a card of your hand. It goes on the expedition of its own colour."),
      },
      ...content,
    );
  };
  return h(
    "section",
    { class: "side", "aria-label": t("Expeditions of {name}", { name: game.players[seat] }) },
    nameplate(scene, seat, h("span", { class: "held" }, t("{count} cards", { count: held }))),
    columns(scene, seat, place),
  );
}

/** The card that the key of a hand's spot names. @param {string} key */
const cardOf = (key) => key.split(" ")[1];

const nowDraw = () => t("You have put down a card. Now draw one.");

/** @param {Scene} scene @param {string[]} colours */
function middle(scene, colours) {
  const { game, spot, moves } = scene;
  const { deck } = game.position;
  const piles = colours.map((letter, index) => h("li", {}, discardPile(scene, letter, index)));
  const deckSpot = spot(
    moves.filter((move) => move.type === "draw" && move.from === "deck"),
    {
      key: "deck",
      class: "pile deck",
      label: t("Draw from the deck, {count} cards left", { count: deck }),
      why: t("First play a card or discard one."),
      hot: "d",
      home: "supply",
    },
    h("span", { class: "card back" }, h("b", {}, String(deck)), srOnly(t("cards in the deck"))),
    h("small", { class: "count" }, t("deck")),
  );
  return h(
    "section",
    { class: "middle", "aria-label": t("Deck and discard piles") },
    h("ul", { class: "columns" }, ...piles),
    deckSpot,
  );
}

/** @param {Scene} scene @param {string} letter @param {number} index */
function discardPile(scene, letter, index) {
  const { game, about, moves, spot } = scene;
  const pile = game.position.discards[letter];
  const top = pile.at(-1);
  const colour = about.labels.colours[letter];
  const isDrawing = game.phase === "draw";
  const shown = top && spell(top, about);
  const label = isDrawing
    ? t("Draw {card} from the {colour} discard pile", { card: shown ?? "", colour })
    : t("Discard on the {colour} pile", { colour });
  const marks = [0, 1].map((seat) => top && lastPut(scene, seat) === "discard" && markOf(scene, seat, top));
  const wanted = isDrawing
    ? moves.filter((move) => move.type === "draw" && move.from === letter)
    : moves.filter((move) => move.type === "discard" && move.card?.startsWith(letter));
  return spot(
    wanted,
    {
      key: `pile ${letter}`,
      class: `pile${top ? "" : " empty"}`,
      part: isDrawing ? undefined : "place",
      label,
      means: (chosen) => (isDrawing ? `draw ${letter}` : chosen ? `discard ${cardOf(chosen)}` : null),
      why: t("Choose a card of your hand. It goes on the discard pile of its own colour."),
      hot: isDrawing ? String(index + 1) : undefined,
    },
    top
      ? card(top, t("{card} on top of the {colour} discard pile", { card: shown ?? "", colour }), {
          mark: marks[0] || marks[1] || undefined,
        })
      : h("span", { class: `card void c-${letter}` }, symbol(letter), srOnly(t("{colour} discard pile: empty", { colour }))),
    h("small", { class: "count" }, pileNote(game.position.closed === letter, pile.length)),
  );
}

/** @param {boolean} isClosed @param {number} cards */
const pileNote = (isClosed, cards) => (isClosed ? t("closed") : cards ? String(cards) : "");

/** How a seat put down its last card. @param {Scene} scene @param {number} seat */
const lastPut = ({ events }, seat) =>
  events.findLast(({ actor, notation }) => actor === seat && /^(play|discard) /.test(notation))?.notation.split(" ")[0];

/**
 * The cards of a hidden hand that every seat has seen, because they were drawn from a discard pile.
 * @param {Scene} scene
 * @param {number} seat
 */
function knownCards(scene, seat) {
  const { game, about } = scene;
  /** @type {string[]} */
  const cards = game.position.hands[seat];
  const known = cards.filter((name) => name !== "?");
  if (!known.length || isOpen(scene, seat)) return [];
  const title = t("Known cards of {name}", { name: game.players[seat] });
  const faces = known.map((name) => h("li", {}, card(name, spell(name, about))));
  return [h("section", { class: "known", "aria-label": title }, h("h2", {}, title), h("ul", {}, ...faces))];
}

/** Whether the viewer sees all cards of a hand. @param {Scene} scene @param {number} seat */
function isOpen({ game }, seat) {
  const cards = game.position.hands[seat];
  return cards.length > 0 && !cards.includes("?");
}

/** @param {Scene} scene @param {number} seat */
function hand(scene, seat) {
  const { game, about, moves, spot, me } = scene;
  const title = seat === me ? t("Your hand") : t("Hand of {name}", { name: game.players[seat] });
  const drawn = seat === me && game.status === "playing" ? justDrawn(scene, seat) : null;
  /** @type {string[]} */
  const names = game.position.hands[seat];
  const cards = names.map((name, index) => {
    const mine = seat === me ? moves.filter((move) => move.card === name) : [];
    const spoken = spell(name, about);
    const isNew = name === drawn && names.lastIndexOf(name) === index;
    const key = `hand ${name} ${names.slice(0, index).filter((each) => each === name).length}`;
    return h(
      "li",
      { "data-key": key },
      spot(
        mine,
        {
          key,
          class: `held c-${parts(name).letter}`,
          part: "piece",
          label: t("{card}: play or discard", { card: sentence(spoken) }),
          why: nowDraw(),
          hot: String(index + 1),
        },
        card(name, spoken, { isNew }),
      ),
    );
  });
  const isOver = game.status === "finished";
  return h("section", { class: "hand", "aria-label": title }, isOver && h("h2", {}, title), h("ul", {}, ...cards));
}

/** The card that a seat has drawn since it put one down. @param {Scene} scene @param {number} seat */
function justDrawn(scene, seat) {
  const { events } = scene;
  const at = events.findLastIndex((event) => event.actor === seat && isMove(event));
  const last = events[at]?.notation ?? "";
  if (last === "draw deck") return events[at + 1]?.notation.split(" ")[1] ?? null;
  return last.startsWith("draw ") ? topCard(events.slice(0, at), last.split(" ")[1]) : null;
}

/** The top card of a discard pile after some events, if it was put there by them. @param {Scene["events"]} events @param {string} letter */
function topCard(events, letter) {
  /** @type {string[]} */
  const pile = [];
  for (const { actor, notation } of events) {
    const [verb, name] = notation.split(" ");
    if (verb === "deal") pile.length = 0;
    else if (verb === "discard" && name.startsWith(letter)) pile.push(name);
    else if (verb === "draw" && actor !== "chance" && name === letter) pile.pop();
  }
  return pile.at(-1) ?? null;
}

// Explaining -------------------------------------------------------------------------------------------------------

/** @param {Scene["game"]} game */
export const prompt = ({ phase }) =>
  phase === "play"
    ? t("Play a card or discard it")
    : t("Draw a card from the deck or from a discard pile");

/** @param {Scene} scene @param {number} own */
export function guide({ game }, own) {
  if (own === 0 && game.phase === "play") {
    return t("Tap a card, then your expedition to play it, or the discard pile of its colour. Beginning an expedition costs 20 points and numbers may only rise: begin low, where you hold several cards.");
  }
  if (own === 2) {
    return t("The cards with two rings are wagers: each multiplies what its expedition earns, or loses. They come before the numbers.");
  }
  if (own === 1) {
    return t("Now draw: from the deck, or a card that you see on a discard pile. The last card of the deck ends the game.");
  }
  return null;
}

/** @param {import("../types.js").HistoryEvent} event @param {Scene} scene */
export function tell({ version, actor, notation }, scene) {
  const { game, about, events } = scene;
  const [verb, first, ...cards] = notation.split(" ");
  if (verb === "deal") {
    const values = { name: game.players[Number(first)], cards: spellAll(cards, about) };
    return said(scene, Number(first), t("You were dealt {cards}", values), t("{name} was dealt {cards}", values));
  }
  const seat = actor === "chance" ? events[version - 2]?.actor : actor;
  const top = verb === "draw" && actor !== "chance" && topCard(events.slice(0, version - 1), first);
  const values = { name: game.players[Number(seat)], card: spell(top || first, about) };
  if (verb === "play") return said(scene, seat, t("You played {card}", values), t("{name} played {card}", values));
  if (verb === "discard") {
    return said(scene, seat, t("You discarded {card}", values), t("{name} discarded {card}", values));
  }
  if (verb !== "draw") return null;
  if (actor === "chance" && first === "?") return t("{name} drew a card", values);
  if (actor === "chance") return said(scene, seat, t("You drew {card}", values), t("{name} drew {card}", values));
  if (first === "deck") return said(scene, seat, t("You go to the deck"), t("{name} goes to the deck", values));
  return said(
    scene,
    seat,
    t("You took {card} from the discard pile", values),
    t("{name} took {card} from the discard pile", values),
  );
}

/** @param {import("../types.js").Move} move @param {import("../types.js").About} about */
export function name({ type, card: wanted, from }, about) {
  if (type === "play") return t("Play {card}", { card: spell(wanted ?? "", about) });
  if (type === "discard") return t("Discard {card}", { card: spell(wanted ?? "", about) });
  return from === "deck"
    ? t("Draw from the deck")
    : t("Draw from the {colour} pile", { colour: about.labels.colours[from ?? ""] });
}

/** @param {import("../types.js").Move} move */
export const choice = ({ type }) => (type === "play" ? t("Play") : t("Discard"));

/** @param {import("../types.js").Move} move */
export const verb = ({ type }) => (type === "play" ? t("play") : type === "discard" ? t("discard") : t("draw"));

/** @returns {Record<string, import("../options.js").OptionText>} */
export const options = () => ({
  expeditions: {
    label: t("Expeditions"),
    text: t("Six expeditions make a longer game, with purple."),
    choices: { 5: "5", 6: "6" },
  },
  redraw_own_discard: {
    label: t("Take back your discard"),
    text: t("Whether you may draw the card that you have just discarded."),
  },
  rounds: { label: t("Rounds"), text: t("The points of all rounds add up: 1 to 9 rounds."), min: 1, max: 9 },
  max_turns: {
    label: t("Max turns"),
    text: t("A round ends after so many turns of both players together. Empty: when the deck is empty."),
    min: 1,
    max: 1000,
    isOpen: true,
  },
});

/**
 * As on the score sheet: "29 - 20 = 9, × 2 = 18, + 20". A finished round has its expeditions.
 * @param {import("../types.js").ScoreLine} line
 * @param {import("../types.js").About} about
 * @returns {string}
 */
export function steps({ cards, numbers, cost, difference, multiplier, product, bonus, expeditions = [] }, about) {
  if (!cards) {
    /** @type {import("../types.js").ScoreLine[]} */
    const started = expeditions.filter((/** @type {{cards: number}} */ { cards }) => cards > 0);
    return started.map((line) => `${itemName(line.item, about)}: ${steps(line, about)}`).join("; ");
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
      t("The aim"),
      t("Each of the {expeditions} colours is a journey that you may begin or leave alone. A journey costs {cost} points, and the cards that you play on it have to bring in more.", { expeditions, cost }),
    ],
    [
      t("Your turn"),
      [
        t("First put down one card of your hand: play it on your own expedition of its colour, or discard it face up on the pile of its colour."),
        redraw_own_discard
          ? t("Then draw one card: from the deck, or the top card of a discard pile.")
          : t("Then draw one card: from the deck, or the top card of a discard pile, but not the card that you have just discarded."),
      ],
      t("There are {cards} cards: in each colour the numbers {least} to {most} and {wagers} wagers. You always hold {hand} at the end of your turn.", {
        cards: cards[expeditions],
        least: numbers[0],
        most: numbers.at(-1),
        wagers: wagers_per_colour,
        hand,
      }),
    ],
    [
      t("Playing on an expedition"),
      t("Every number must be higher than the last one there. You may leave gaps, but you cannot go back. Wagers, the cards with two rings, come first: after the first number no wager can follow."),
    ],
    [
      t("The end"),
      t("When the last card of the deck is drawn, the round is over at once. The cards in your hand count nothing."),
      max_turns !== null && t("A round has at most {max_turns} turns.", { max_turns }),
      rounds > 1 && t("This match has {rounds} rounds, and their points add up.", { rounds }),
    ],
    [
      t("The score"),
      [
        t("An expedition counts the sum of its numbers minus {cost}.", { cost }),
        t("One, two or three wagers multiply that by 2, 3 or 4, also when it is a loss."),
        t("With {cards} or more cards, wagers included, it earns {bonus} points more.", { cards: bonus_from_cards, bonus }),
        t("A colour in which you played nothing counts 0."),
      ],
      t("Example: a wager, 4, 7, 8 and 10 count (29 − {cost}) × 2 = {points} points. A wager alone costs {loss}.", {
        cost,
        points: (29 - cost) * 2,
        loss: cost * 2,
      }),
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

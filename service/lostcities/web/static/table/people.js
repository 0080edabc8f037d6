// What people do at the table besides moving: resign, take back a move, claim a time that is up, change who plays a seat.

import { h, showDialog } from "./dom.js";
import { isMove, isTableEvent } from "./history.js";
import { refuse } from "./refusals.js";
import { t } from "./texts.js";
import { duration } from "./words.js";

/** @typedef {import("./types.js").Chair} Chair */
/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */

/**
 * @typedef {object} Standing The table as this page knows it.
 * @property {Game} game
 * @property {Record<string, string>} levels What people call the levels of the bots that can play.
 * @property {Chair[]} chairs
 * @property {number[]} here The seats that are played at this device.
 * @property {HistoryEvent[]} events Without the moves that were taken back.
 * @property {string} [host] The host's token.
 */

/**
 * Sends a call of the game. `then` is called with the answer before the game is drawn.
 * @typedef {(call: string, body: object, token?: string, then?: (answer: {token?: string | null}) => void) => Promise<void>} Act
 */

const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => Promise<unknown>} */ act, look = "") =>
  h("button", { class: `button ${look}`, type: "button", "data-key": key, onclick: () => act().catch(refuse) }, text);

// Beside the prompt ------------------------------------------------------------------------------------------------

/** How often a seat can take back moves before it lets one stand. */
const MOST_UNDONE = 8;

/** The seat at this device whose last move can be taken back. @param {Standing} standing */
function undoable({ game, here, events }) {
  const seat = here.find((each) => each === events.at(-1)?.actor);
  if (game.status === "finished" || seat === undefined) return undefined;
  const isOther = (/** @type {HistoryEvent} */ event) =>
    event.actor !== seat || (isTableEvent(event) && event.notation !== "undo");
  // What nothing else has followed.
  const run = events.slice(events.findLastIndex(isOther) + 1);
  const undone = run.filter(({ notation }) => notation === "undo").length;
  return run.some(isMove) && undone < MOST_UNDONE ? seat : undefined;
}

/** The clocks, and what can be done while the others think. @param {Standing} standing @param {Act} act @param {number} now */
export function beside(standing, act, now) {
  const { game, here, chairs, host } = standing;
  const seat = undoable(standing);
  const late = game.clocks.filter(({ until }) => Date.parse(until) <= now).map((clock) => clock.seat);
  const claimants = [...here.map((each) => ({ seat: each, token: chairs[each].token })), { seat: -1, token: host }];
  const claimant = claimants.find(({ seat: own, token }) => token && late.some((each) => each !== own));
  return [
    ...game.clocks.map(({ seat, until }) => clock(game.players[seat], until, now)),
    claimant && button("claim", claimed(game), () => act("claim", {}, claimant.token)),
    seat !== undefined && button("undo", t("Take back"), () => act("undo", {}, chairs[seat].token), "quiet"),
  ];
}

/** @param {Game} game */
const claimed = ({ on_timeout, players }) =>
  on_timeout === "resign" && players.length === 2 ? t("Time is up: claim the win") : t("Time is up: let a bot play on");

/** @param {string} name @param {string} until @param {number} now */
function clock(name, until, now) {
  const left = Date.parse(until) - now;
  const look = left < 10_000 ? "clock short" : "clock";
  return h("span", { class: look, role: "timer", "data-until": until }, h("span", {}, name), " ", h("b", {}, duration(left)));
}

/** Let the clocks of a page run. @param {HTMLElement} place @param {() => number} now @param {() => void} onUp @param {AbortSignal} signal */
export function runClocks(place, now, onUp, signal) {
  const timer = setInterval(() => {
    if (signal.aborted) return clearInterval(timer);
    for (const each of place.querySelectorAll(".clock")) {
      const shown = each.querySelector("b");
      const left = Date.parse(/** @type {HTMLElement} */ (each).dataset.until ?? "") - now();
      if (!shown || shown.textContent === duration(left)) continue;
      shown.textContent = duration(left);
      each.classList.toggle("short", left < 10_000);
      if (left <= 0) onUp();
    }
  }, 250);
}

// The panel of players -----------------------------------------------------------------------------------------------

/** Who plays each seat, and what can be changed about it. @param {Standing} standing @param {Act} act */
export function players(standing, act) {
  const { game, here, chairs, host } = standing;
  const isOver = game.status === "finished";
  const rows = game.players.map((name, seat) => {
    const isHere = here.includes(seat);
    const isChangeable = !isOver && host !== undefined && !game.resigned.includes(seat);
    return h(
      "li",
      { "data-key": `player ${seat}` },
      h("b", {}, name),
      " ",
      h("small", {}, played(standing, seat)),
      h(
        "div",
        { class: "tools" },
        isHere && !isOver && button(`resign ${seat}`, t("Resign"), () => resign(standing, seat, act)),
        isChangeable && button(`change ${seat}`, t("Change who plays"), () => change(standing, seat, act)),
      ),
    );
  });
  const asks = here.find((seat) => chairs[seat].token);
  const isTogether = !isOver && game.options.order === "simultaneous" && game.players.length > 2;
  return [
    h("ul", { class: "people" }, ...rows),
    isTogether &&
      asks !== undefined &&
      button("clockwise", t("Let the others choose in clockwise order"), () => act("clockwise", {}, chairs[asks].token)),
  ];
}

/** @param {Standing} standing @param {number} seat */
function played({ game, levels, here, chairs }, seat) {
  if (game.resigned.includes(seat)) return t("has resigned");
  if (game.bots[seat]) return t("{level} bot", { level: levels[game.bots[seat]] });
  if (here.includes(seat)) return t("plays here");
  return chairs[seat].kind === "link" ? t("plays with a link") : t("plays at another device");
}

/** @param {Standing} standing @param {number} seat @param {Act} act */
async function resign({ game, chairs }, seat, act) {
  const name = game.players[seat];
  const others = game.players.filter((_, each) => each !== seat);
  const meaning =
    others.length === 1
      ? t("{other} wins at once, whatever the points.", { other: others[0] })
      : t("A bot plays the seat to the end, and it cannot win any more.");
  if (await isSure(t("{name} resigns?", { name }), meaning, t("Resign"))) await act("resign", {}, chairs[seat].token);
}

/** Ask before something that cannot be taken back. @param {string} title @param {string} meaning @param {string} yes */
async function isSure(title, meaning, yes) {
  let isAgreed = false;
  const agree = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    isAgreed = true;
    dialog.close();
  };
  const dialog = asking(title, meaning, h("form", { onsubmit: agree }, answers(yes, () => dialog.close())));
  await showDialog(dialog);
  return isAgreed;
}

/** The level that is offered first. */
const OFFERED = "greedy";

/** Hand a seat over to a bot, or to a person, who gets a new link. @param {Standing} standing @param {number} seat @param {Act} act */
async function change({ game, levels, chairs, host }, seat, act) {
  const name = game.players[seat];
  let isAgreed = false;
  const bots = game.chance === "server" ? Object.keys(levels) : [];
  const isBot = () => bots.includes(who.value);
  const who = h(
    "select",
    { "aria-label": t("Who plays"), onchange: () => called.toggleAttribute("hidden", isBot()) },
    ...bots.map((level) => h("option", { value: level, selected: level === OFFERED }, t("{level} bot", { level: levels[level] }))),
    h("option", { value: "link" }, t("a person with a new link")),
    h("option", { value: "here" }, t("a person at this device")),
  );
  const input = h("input", { value: name, maxlength: "40", required: true });
  const called = h("label", { class: "option", hidden: bots.length > 0 }, h("span", {}, t("Name")), input);
  const agree = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    isAgreed = true;
    dialog.close();
  };
  const dialog = asking(
    t("Who plays for {name} from now on?", { name }),
    t("Links to this seat that were sent before stop working."),
    h("form", { onsubmit: agree }, who, called, answers(t("Hand the seat over"), () => dialog.close())),
  );
  await showDialog(dialog);
  if (!isAgreed) return;
  const body = isBot() ? { bot: who.value } : { person: input.value.trim() };
  await act(`seats/${seat}`, body, host, ({ token }) => {
    const kind = /** @type {Chair["kind"]} */ (isBot() ? "bot" : who.value);
    chairs[seat] = { kind, token: token ?? undefined };
  });
}

/** @param {string} title @param {string} meaning @param {HTMLElement} form */
const asking = (title, meaning, form) =>
  h("dialog", { class: "rules asking", "aria-labelledby": "asking" }, h("h2", { id: "asking" }, title), h("p", {}, meaning), form);

/** @param {string} yes @param {() => void} cancel */
const answers = (yes, cancel) =>
  h(
    "div",
    { class: "tools" },
    h("button", { class: "button primary", type: "submit" }, yes),
    h("button", { class: "button quiet", type: "button", onclick: cancel }, t("Cancel")),
  );

// The areas of a game's page: the dock with prompt and hand, and the panels for moves, score, history and links.

import { playing, watching } from "./address.js";
import { h, render } from "./dom.js";
import { standing } from "./history.js";
import { t } from "./texts.js";
import { alternatives, ended, itemName, list, said, signed, spell, spellAll, uncapitalised } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./games/index.js").GameModule} GameModule */

/** @param {HTMLElement} main */
export function lay(main) {
  const area = (/** @type {string} */ name) => h("div", { class: name, tabindex: "-1" });
  const areas = {
    tools: area("tools"),
    ending: area("ending"),
    replay: area("replays"),
    board: area("board"),
    guide: area("guide"),
    /** Clocks, and what can be done while the others think. */
    aside: area("aside"),
    status: h("div", { class: "status", role: "status", tabindex: "-1" }),
    choices: area("choices"),
    hand: area("reach"),
    actions: area("actions"),
    moves: area("list"),
    score: area("list"),
    history: area("list"),
    people: area("list"),
    links: area("list"),
    /** Actions at the table that are no moves of the game. */
    table: area("tools"),
    settings: area("list"),
  };
  const panel = (/** @type {string} */ title, /** @type {HTMLElement[]} */ content, open = true) =>
    h("details", { class: "panel", open }, h("summary", {}, h("h2", {}, title)), ...content);
  const wide = window.matchMedia("(min-width: 60rem)").matches;
  main.className = "table";
  main.replaceChildren(
    h(
      "div",
      { class: "felt" },
      areas.tools,
      areas.ending,
      areas.replay,
      areas.board,
      h(
        "section",
        { class: "dock", "aria-label": t("Your turn") },
        areas.guide,
        h("div", { class: "prompt" }, areas.aside, areas.status, areas.choices),
        areas.hand,
        areas.actions,
      ),
    ),
    h(
      "aside",
      { class: "beside", "aria-label": t("Game information") },
      panel(t("Score"), [areas.score], wide),
      panel(t("Legal moves"), [areas.moves], wide),
      panel(t("History"), [areas.history], wide),
      panel(t("Players"), [areas.people], false),
      panel(t("Links to send"), [areas.links], false),
      panel(t("Table and settings"), [areas.table, areas.settings], false),
    ),
  );
  return { main, ...areas };
}

/** Events that the status shows: usually, and at most if more happened since the player's own move. */
const [LATEST, MOST] = [3, 8];

/**
 * Who is to act, what that player can do, and the latest events or what the hints say.
 * @param {Scene} scene
 * @param {GameModule} module
 * @param {string} [hint]
 */
export function status(scene, module, hint) {
  const { game, me, moves } = scene;
  const names = game.to_act.map((actor) => (actor === "chance" ? t("chance") : game.players[actor]));
  const others =
    game.status === "finished" ? t("The game is over") : t("{names} to act", { names: list(names) });
  return [
    h("h1", {}, moves.length > 0 && me !== null ? t("Your turn, {name}", { name: game.players[me] }) : others),
    game.status === "playing" && h("p", { class: "due" }, due(scene, module.prompt)),
    h("p", { class: "latest", tabindex: "0" }, hint ?? latest(scene, module)),
  ];
}

/** What happened since the player's own move, or the last events. @param {Scene} scene @param {GameModule} module */
function latest(scene, module) {
  const { events, me } = scene;
  const own = events.findLastIndex(({ actor }) => actor === me);
  const since = events.slice(own + 1 || -LATEST).slice(-MOST);
  const shown = since.length > 0 ? since : events.slice(-LATEST);
  return shown.filter(({ notation }) => notation).map((event) => tell(event, scene, module)).join(" ");
}

/** What is to be done. @param {Scene} scene @param {GameModule["prompt"]} prompt */
function due({ game, about, me, moves }, prompt) {
  const [first] = game.to_act;
  if (first !== "chance" && moves.length > 0 && me !== null) {
    const types = [...new Set(moves.map((move) => move.type))];
    return ended(prompt?.(game, me) ?? t("Choose a move: {types}", { types: alternatives(types) }));
  }
  if (first !== "chance" && prompt) {
    const names = list(game.to_act.map((seat) => game.players[Number(seat)]));
    return ended(t("Next for {names}: {prompt}", { names, prompt: uncapitalised(prompt(game, first)) }));
  }
  return ended(about.phases.find(({ phase }) => phase === game.phase)?.text ?? game.phase);
}

/** An event as a sentence. @param {HistoryEvent} event @param {Scene} scene @param {GameModule} module */
export function tell(event, scene, module) {
  const told = tellTable(event, scene) ?? module.tell?.(event, scene);
  if (told) return ended(told);
  const { game, about } = scene;
  const { actor, notation } = event;
  if (actor !== "chance") return `${game.players[actor]}: ${spell(notation, about)}`;
  const [verb, seat, ...rest] = notation.split(" ");
  const isForSeat = about.moves.some((move) => move.by === "chance" && move.notation.startsWith(`${verb} <seat>`));
  return isForSeat ? `${game.players[Number(seat)]}: ${verb} ${spellAll(rest, about)}` : spell(notation, about);
}

/** An event that happened at the table, as a sentence. `null` for moves and chance. @param {HistoryEvent} event @param {Scene} scene */
function tellTable({ actor, notation }, scene) {
  if (actor === "chance") return null;
  const [kind, ...more] = notation.split(" ");
  const values = { name: scene.game.players[actor], operand: more.join(" ") };
  switch (kind) {
    case "resign":
      return said(scene, actor, t("You resigned"), t("{name} resigned", values));
    case "undo":
      return said(scene, actor, t("You took back your move"), t("{name} took back a move", values));
    case "timeout":
      return said(scene, actor, t("Your time was up"), t("The time of {name} was up", values));
    case "clockwise":
      return said(scene, actor, t("You asked for clockwise order"), t("{name} asked for clockwise order", values));
    case "bot":
      return t("A bot ({operand}) plays for {name} from now on", values);
    case "person":
      return t("{operand} plays this seat from now on", values);
    default:
      return null;
  }
}

/** Every legal move, in words. @param {Move[]} moves @param {(move: Move) => Node} button */
export function moves(moves, button) {
  if (moves.length === 0) return [h("p", { class: "none" }, t("You have no moves now."))];
  return [h("ul", { class: "moves" }, ...moves.map((move) => h("li", { "data-key": move.notation }, button(move))))];
}

/** The score sheets. @param {Scene} scene @param {GameModule} module */
export function score({ game, score, about }, { steps = told }) {
  return score.seats.map(({ seat, total, lines }) =>
    h(
      "table",
      { class: "score" },
      h("caption", {}, h("span", {}, game.players[seat]), h("b", {}, signed(total))),
      h(
        "tbody",
        {},
        ...lines.map((line) =>
          h(
            "tr",
            { class: line.points === 0 ? "zero" : "" },
            h("th", { scope: "row" }, itemName(line.item, about)),
            h("td", { class: "detail" }, signed(steps(line, about))),
            h("td", { class: "points" }, signed(line.points)),
          ),
        ),
      ),
    ),
  );
}

/** The details of a line as they are named. @param {import("./types.js").ScoreLine} line */
const told = ({ item: _item, points: _points, ...detail }) =>
  Object.entries(detail)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

/**
 * The events, the newest first.
 * @param {HTMLElement} place
 * @param {Scene} scene
 * @param {GameModule} module
 * @param {HistoryEvent[]} events All of them.
 * @param {((version: number) => void) | undefined} jump Shows the game after an event. Missing while it is being played.
 */
export function showHistory(place, scene, module, events, jump) {
  const whole = { ...scene, events: standing(events) };
  const lines = events.toReversed().map((event) => {
    const { version, actor } = event;
    const text = tell(event, whole, module);
    const isShown = jump && version === scene.game.version;
    return h(
      "li",
      {
        value: version,
        class: actor === "chance" ? "chance" : "",
        "aria-current": isShown ? "step" : null,
        "data-key": `event ${version}`,
      },
      // The slider is the way by keyboard: hundreds of tab stops would be in the way of it.
      jump ? h("button", { class: "jump", tabindex: "-1", onclick: () => jump(version) }, text) : text,
    );
  });
  const title = t("History, newest first");
  render(place, h("ol", { class: "events", tabindex: "0", "aria-label": title }, ...lines));
  const [shown, current] = [place.querySelector("ol"), place.querySelector("[aria-current]")];
  if (shown && current instanceof HTMLElement) shown.scrollTop = current.offsetTop - shown.clientHeight / 2;
}

/**
 * The links for the players at other devices and for spectators.
 * @param {HTMLElement} place
 * @param {Scene["game"]} game
 * @param {import("./types.js").Chair[]} chairs
 */
export function showLinks(place, game, chairs) {
  const players = chairs.flatMap(({ kind, token }, seat) =>
    kind === "link" && token
      ? [link(t("For {name} alone", { name: game.players[seat] }), playing(game.id, seat, token))]
      : [],
  );
  render(place, ...players, link(t("For spectators"), watching(game.id)));
  const shown = String(players.length);
  if (players.length > 0 && place.dataset.shown !== shown) place.closest("details")?.setAttribute("open", "");
  place.dataset.shown = shown;
}

/** @param {string} title @param {string} href */
function link(title, href) {
  const field = h("input", { readonly: true, value: href, "aria-label": title, onfocus: () => field.select() });
  const copy = async () => {
    field.select();
    await navigator.clipboard?.writeText(href);
    button.textContent = t("Copied");
  };
  const label = t("Copy the link: {title}", { title });
  const button = h("button", { class: "button", "aria-label": label, onclick: copy }, t("Copy"));
  return h("div", { class: "link" }, h("span", {}, title), h("div", {}, field, button));
}

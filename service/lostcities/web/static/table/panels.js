// The panels beside the game: status, moves, score, history and links.

import { playing, watching } from "./address.js";
import { fill, h } from "./dom.js";
import { ended, list, signed, spell, uncapitalised } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./games/index.js").GameModule} GameModule */

/** @param {HTMLElement} main */
export function lay(main) {
  const area = (/** @type {string} */ name) => h("div", { class: name, tabindex: "-1" });
  const areas = {
    status: h("div", { class: "status", role: "status", tabindex: "-1" }),
    tools: area("tools"),
    ending: area("ending"),
    replay: area("replays"),
    board: area("board"),
    actions: area("actions"),
    moves: area("list"),
    score: area("list"),
    history: area("list"),
    links: area("list"),
  };
  const panel = (/** @type {string} */ title, /** @type {HTMLElement} */ content, open = true) =>
    h("details", { class: "panel", open }, h("summary", {}, h("h2", {}, title)), content);
  const wide = window.matchMedia("(min-width: 60rem)").matches;
  main.className = "table";
  main.replaceChildren(
    h(
      "div",
      { class: "felt" },
      h("div", { class: "head" }, areas.status, areas.tools),
      areas.ending,
      areas.replay,
      areas.board,
      areas.actions,
    ),
    h(
      "aside",
      { class: "beside", "aria-label": "Game information" },
      panel("Legal moves", areas.moves, wide),
      panel("Score", areas.score),
      panel("History", areas.history, wide),
      panel("Links to send", areas.links, false),
    ),
  );
  return { main, ...areas };
}

/** @type {Record<import("./live.js").ConnectionState, string>} */
const STATE_LABELS = { live: "live", polling: "live, by polling", reconnecting: "reconnecting…", over: "" };

/** Show how the page gets updates. @param {import("./live.js").ConnectionState} state */
export function showConnection(state) {
  const place = /** @type {HTMLElement} */ (document.getElementById("connection"));
  place.dataset.state = state;
  if (place.textContent !== STATE_LABELS[state]) place.textContent = STATE_LABELS[state];
}

/** Events that the status shows: usually, and at most if more happened since the player's own move. */
const [LATEST, MOST] = [3, 8];

/**
 * Who is to act, what that player can do, and the latest events.
 * @param {Scene} scene
 * @param {HistoryEvent[]} events
 * @param {GameModule["prompt"]} prompt
 */
export function status(scene, events, prompt) {
  const { game, about, me, moves } = scene;
  const names = game.to_act.map((actor) => (actor === "chance" ? "chance" : game.players[actor]));
  const others = game.status === "finished" ? "The game is over" : `${list(names)} to act`;
  const own = events.findLastIndex(({ actor }) => actor === me);
  // What happened since the player's own move, or the last events.
  const since = events.slice(own + 1 || -LATEST).slice(-MOST);
  const latest = (since.length > 0 ? since : events.slice(-LATEST)).map((event) => tell(event, game, about));
  return [
    h("h1", {}, moves.length > 0 && me !== null ? `Your turn, ${game.players[me]}` : others),
    game.status === "playing" && h("p", { class: "due" }, due(scene, prompt)),
    h("p", { class: "latest" }, latest.join(" · ")),
  ];
}

/** What is to be done. @param {Scene} scene @param {GameModule["prompt"]} prompt */
function due({ game, about, me, moves }, prompt) {
  const [first] = game.to_act;
  if (first !== "chance" && moves.length > 0 && me !== null) {
    const types = [...new Set(moves.map((move) => move.type))];
    return `${prompt?.(game, me) ?? `Choose a move: ${list(types, "or")}`}.`;
  }
  if (first !== "chance" && prompt) {
    return `Next for ${list(game.to_act.map((seat) => game.players[Number(seat)]))}: ${uncapitalised(prompt(game, first))}.`;
  }
  return ended(about.phases.find(({ phase }) => phase === game.phase)?.text ?? game.phase);
}

/** An event in words. @param {HistoryEvent} event @param {Scene["game"]} game @param {Scene["about"]} about */
export function tell({ actor, notation }, game, about) {
  if (actor !== "chance") return `${game.players[actor]}: ${spell(notation, about)}`;
  const [verb, seat, ...rest] = notation.split(" ");
  const isForSeat = about.moves.some((move) => move.by === "chance" && move.notation.startsWith(`${verb} <seat>`));
  return isForSeat
    ? `Chance: ${verb} for ${game.players[Number(seat)]}: ${spell(rest.join(" "), about)}`
    : `Chance: ${spell(notation, about)}`;
}

/** Every legal move, in words. @param {Move[]} moves @param {(move: Move) => Node} button */
export function moves(moves, button) {
  if (moves.length === 0) return [h("p", { class: "none" }, "You have no moves now.")];
  return [h("ul", { class: "moves" }, ...moves.map((move) => h("li", {}, button(move))))];
}

/** The score sheets. @param {Scene} scene @param {GameModule["steps"]} steps */
export function score({ game, score }, steps = told) {
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
            h("th", { scope: "row" }, line.item),
            h("td", { class: "detail" }, signed(steps(line))),
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
 * @param {HistoryEvent[]} events
 * @param {((version: number) => void) | undefined} jump Shows the game after an event. Missing while it is being played.
 */
export function showHistory(place, { game, about }, events, jump) {
  const lines = events.toReversed().map((event) => {
    const { version, actor } = event;
    const text = tell(event, game, about);
    const isShown = jump && version === game.version;
    return h(
      "li",
      { value: version, class: actor === "chance" ? "chance" : "", "aria-current": isShown ? "step" : null },
      // The slider is the way by keyboard: hundreds of tab stops would be in the way of it.
      jump
        ? h(
            "button",
            { class: "jump", tabindex: "-1", "data-key": `event ${version}`, onclick: () => jump(version) },
            text,
          )
        : text,
    );
  });
  fill(place, h("ol", { class: "events", tabindex: "0", "aria-label": "History, newest first" }, ...lines));
  const [list, shown] = [place.querySelector("ol"), place.querySelector("[aria-current]")];
  if (list && shown instanceof HTMLElement) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
}

/**
 * The links for the players at other devices and for spectators.
 * @param {HTMLElement} place
 * @param {Scene["game"]} game
 * @param {import("./types.js").Chair[]} chairs
 */
export function showLinks(place, game, chairs) {
  const players = chairs.flatMap(({ kind, token }, seat) =>
    kind === "link" && token ? [link(`For ${game.players[seat]} alone`, playing(game.id, seat, token))] : [],
  );
  place.replaceChildren(...players, link("For spectators", watching(game.id)));
  if (players.length > 0) place.closest("details")?.setAttribute("open", "");
}

/** @param {string} title @param {string} href */
function link(title, href) {
  const field = h("input", { readonly: true, value: href, "aria-label": title, onfocus: () => field.select() });
  const copy = async () => {
    field.select();
    await navigator.clipboard?.writeText(href);
    button.textContent = "Copied";
  };
  const button = h("button", { class: "button", "aria-label": `Copy the link: ${title}`, onclick: copy }, "Copy");
  return h("div", { class: "link" }, h("span", {}, title), h("div", {}, field, button));
}

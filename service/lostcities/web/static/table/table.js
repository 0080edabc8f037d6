// The controller of a game page: loads the game, chooses the viewer, draws and sends moves.

import * as address from "./address.js";
import { INCLUDED, Problem } from "./api.js";
import { Connection } from "./connection.js";
import { h, render } from "./dom.js";
import { Ending } from "./ending.js";
import { load } from "./games/index.js";
import { Hints, meaning } from "./hints.js";
import { History, isMove, standing } from "./history.js";
import { listenToKeys, showKeys } from "./keys.js";
import * as memory from "./memory.js";
import { moving, speedSetting } from "./motion.js";
import * as panels from "./panels.js";
import * as people from "./people.js";
import { icon } from "./pieces.js";
import { dismiss, explain, refuse } from "./refusals.js";
import { Replay } from "./replay.js";
import { rulesButton } from "./rules.js";
import { saveButton } from "./saved.js";
import { showConnection } from "./settings.js";
import { dragging, Taps } from "./taps.js";
import { t } from "./texts.js";
import { list, sentence, spell } from "./words.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */

/** Pixels between the dock and what is scrolled above it. */
const MARGIN = 16;
/** Milliseconds for which a move is sent again while the service is away. */
const PATIENCE = 60_000;

export class Table {
  /** @type {import("./types.js").Game} */
  #game;
  /** @type {import("./types.js").About} */
  #about;
  /** @type {import("./games/index.js").GameModule} */
  #drawing;
  /** @type {HistoryEvent[]} */
  #events = [];
  /** @type {import("./types.js").Chair[]} */
  #chairs = [];
  /** The seat whose view is shown, or `null` for a spectator's view. @type {number | null} */
  #eyes = null;
  /** The seat that the device must be passed to, if any. @type {number | null} */
  #next = null;
  /** @type {Set<number>} */
  #picked = new Set();
  /** The events that the board does not show yet. @type {HistoryEvent[]} */
  #unseen = [];
  /** @type {Replay | null} */
  #replay = null;
  /** The last update that was asked for. Each begins when the one before has ended. @type {Promise<void>} */
  #updated = Promise.resolve();
  /** The refresh that has not begun. @type {Promise<void> | null} */
  #queued = null;

  /**
   * @param {import("./api.js").Api} api
   * @param {address.Place} place
   * @param {HTMLElement} main
   * @param {AbortSignal} signal Aborted when the page leaves the game.
   */
  constructor(api, place, main, signal) {
    this.api = api;
    this.place = place;
    this.signal = signal;
    this.path = `games/${encodeURIComponent(place.game)}`;
    /** The game with the moves of the viewer and the score. */
    this.whole = `${this.path}?include=${INCLUDED}`;
    this.history = new History(api, this.path);
    this.hints = new Hints(api, this.path);
    this.ending = new Ending(api, this.path);
    this.areas = panels.lay(main);
    this.taps = new Taps({
      make: (move) => this.#make(move),
      judge: (notation) => this.#judge(notation),
      waiting: () => this.#waiting(),
      redraw: () => this.#draw(),
    });
    dragging(main, this.taps, signal);
    listenToKeys(() => this.taps.cancel(), () => this.taps.making, signal);
  }

  /** Load the game and keep it up to date. */
  async open() {
    try {
      const token = await this.#load();
      this.areas.settings.replaceChildren(speedSetting());
      await this.#update(() => this.#show({ game: this.#game, token }));
    } catch (error) {
      if (!this.signal.aborted) this.#cannotOpen(error);
      return;
    }
    people.runClocks(this.areas.aside, () => this.api.now(), () => this.#draw(), this.signal);
    const connection = new Connection(this.api, this.path, {
      token: () => this.#chairs.find((chair) => chair.token)?.token,
      signal: this.signal,
      version: () => this.#game.version,
      onNews: (game, events, token) => this.#receive(game, events, token).catch(refuse),
      onRevoked: (token) => this.#lose(token).catch(refuse),
      onState: showConnection,
    });
    await connection.follow();
  }

  /** Load everything at once, as the seat sees it that is played here. @returns {Promise<string | undefined>} Its token. */
  async #load() {
    const known = this.place.host ? memory.recall(this.place.game) : undefined;
    const own = known?.chairs.filter(({ kind }) => kind === "here") ?? [this.place];
    const token = own.length === 1 ? own[0].token : undefined;
    const about = known?.variant ? this.api.about(known.variant) : undefined;
    const [game, events] = await Promise.all([this.api.get(this.whole, { token }), this.history.begin(token), about]);
    this.#game = game;
    this.#chairs = this.#seating();
    [this.#about, this.#drawing] = await Promise.all([this.api.about(game.variant), load(game.variant)]);
    this.history.keep(game, events, token);
    memory.firstCommitment(game);
    if (this.#here().length === 1) [this.#eyes] = this.#here();
    return token;
  }

  /** The token of the seat whose view is shown. */
  get #token() {
    return this.#eyes === null ? undefined : this.#chairs[this.#eyes].token;
  }

  /** @param {unknown} error */
  #cannotOpen(error) {
    refuse(error);
    if (error instanceof Problem && error.status === 404) memory.forget(this.place.game);
    const isRevoked = error instanceof Problem && error.code === "unknown-token";
    const watch = h("a", { href: address.watching(this.place.game) }, t("Watch the game"));
    const create = h("a", { href: "./" }, t("Create a new one"));
    this.areas.main.replaceChildren(
      isRevoked
        ? h("p", { class: "setup" }, t("This link is not valid any more: the seat was handed over."), " ", watch, " · ", create)
        : h("p", { class: "setup" }, t("This game does not exist."), " ", create),
    );
  }

  /** How each seat is played. */
  #seating() {
    const { game, seat, token, host } = this.place;
    const hosted = host && memory.recall(game);
    if (hosted) return hosted.chairs;
    return this.#game.players.map((_, index) =>
      index === seat ? { kind: /** @type {const} */ ("here"), token } : { kind: /** @type {const} */ ("elsewhere") },
    );
  }

  /** The seats that are played at this device. */
  #here() {
    return this.#chairs.flatMap((chair, seat) => (chair.kind === "here" && !this.#game.bots[seat] ? [seat] : []));
  }

  /** The host's token, if this browser created the game. */
  get #host() {
    return this.place.host ? memory.recall(this.place.game)?.host : undefined;
  }

  /** After a change of chairs: remember them, and look from a seat that is still played here. */
  #settle() {
    const known = this.place.host && memory.recall(this.place.game);
    if (known) memory.remember({ ...known, chairs: this.#chairs });
    const [first, ...others] = this.#here();
    if (this.#eyes === null || this.#chairs[this.#eyes].kind !== "here") this.#eyes = others.length > 0 ? null : (first ?? null);
  }

  /** Somebody else plays a seat of this device from now on: its token is not valid any more. @param {string} token */
  #lose(token) {
    const seat = this.#chairs.findIndex((chair) => chair.token === token);
    if (seat < 0) return this.refresh();
    this.#chairs[seat] = { kind: "elsewhere" };
    this.#settle();
    explain(t("The seat of {name} was handed over. This device does not play it any more.", { name: this.#game.players[seat] }));
    return this.refresh();
  }

  // Keeping up to date -----------------------------------------------------------------------------------------------

  /** Load the game and draw it. Calls before the loading begins share it. */
  refresh() {
    this.#queued ??= this.#update(() => {
      this.#queued = null;
      return this.#show();
    });
    return this.#queued;
  }

  /**
   * Draw a game that a message or an answer contains, if it is newer than the drawn one.
   * @param {import("./types.js").Game | undefined} game
   * @param {import("./types.js").HistoryEvent[]} events The events before it.
   * @param {string} [token] The token of the viewer.
   */
  async #receive(game, events, token) {
    this.history.add(events, token);
    if (!game) return;
    await this.#update(async () => {
      if (game.version > this.#game.version) await this.#show({ game, token });
    });
  }

  /** One update runs at a time. @param {() => Promise<void>} update */
  #update(update) {
    this.#updated = this.#updated.catch(() => {}).then(() => (this.signal.aborted ? undefined : update()));
    return this.#updated;
  }

  /**
   * Draw the game. It is loaded, unless it is given as the viewer sees it.
   * @param {{game: import("./types.js").Game, token?: string}} [given]
   */
  async #show(given) {
    for (;;) {
      const eyes = this.#eyes;
      const token = this.#token;
      const game = given && given.token === token ? given.game : await this.api.get(this.whole, { token });
      given = undefined;
      if (this.#look(game)) continue;
      const events = await this.history.upTo(game, token);
      // The viewer changed: load again.
      if (eyes !== this.#eyes) continue;
      if (game.version !== this.#game.version) {
        this.#picked.clear();
        this.hints.clear();
        this.taps.clear();
        this.#unseen = events.slice(this.#game.version);
      }
      [this.#game, this.#events] = [game, events];
      break;
    }
    this.#draw();
  }

  /**
   * Choose the seat whose view is shown.
   * @param {import("./types.js").Game} game
   * @returns {boolean} Whether the viewer changed.
   */
  #look(game) {
    const here = this.#here();
    const acting = here.filter((seat) => game.to_act.includes(seat));
    this.#next = null;
    if (here.length < 2 || acting.length === 0 || acting.includes(this.#eyes ?? -1)) return false;
    if (hides(game)) {
      [this.#next] = acting;
      return false;
    }
    [this.#eyes] = acting;
    return true;
  }

  /** Show the view of the next player at this device, or hide the cards until that player confirms. */
  #pass() {
    this.#eyes = this.#eyes === null ? this.#next : null;
    return this.refresh();
  }

  // Acting -----------------------------------------------------------------------------------------------------------

  /**
   * Make a move. The version of the drawn game is sent, so that a move based on an old state is rejected.
   * @param {Move} move
   */
  async #make(move) {
    const { token } = this.#chairs[move.seat];
    const onWaiting = () => explain(t("The service does not answer. Your move is sent again until it does."));
    const { game, events } = (await this.#send("moves", move, { token, seen: this.#game.version, onWaiting })) ?? {};
    if (game) await this.#receive(game, events, token);
    this.areas.main.classList.remove("busy");
  }

  /** Do something at the table that is no move. @type {people.Act} */
  async #act(call, body, token, then) {
    const onWaiting = () => explain(t("The service does not answer. What you did is sent again until it does."));
    const answer = await this.#send(call, body, { token, onWaiting });
    if (answer) {
      then?.(answer);
      this.#settle();
      // The answer to the host is not what the viewer sees.
      if (token === this.#host) await this.refresh().catch(refuse);
      else await this.#receive(answer.game, answer.events, token);
    }
    this.areas.main.classList.remove("busy");
  }

  /**
   * Send a call that changes the game. A refusal is shown, and the game is loaded anew.
   * @param {string} call
   * @param {unknown} body
   * @param {{token?: string, seen?: number, onWaiting: () => void}} how
   */
  async #send(call, body, how) {
    this.areas.main.classList.add("busy");
    try {
      const answer = await this.api.post(`${this.path}/${call}?include=${INCLUDED}`, body, { ...how, patience: PATIENCE });
      dismiss();
      return answer;
    } catch (error) {
      refuse(error);
      await this.refresh().catch(refuse);
      return null;
    }
  }

  /** Why the viewer's move is illegal, as a sentence about its rule. @param {string} notation */
  async #judge(notation) {
    const token = this.#token;
    try {
      const { legal, problem } = await this.api.post(
        `${this.path}/check`,
        { seat: this.#eyes, notation },
        { token },
      );
      if (legal) return null;
      const rule = this.#about.rules.find((each) => each.code === problem.rule);
      return { text: sentence(rule?.text ?? problem.detail), rule: problem.rule };
    } catch (error) {
      return { text: error instanceof Problem ? error.message : String(error) };
    }
  }

  /** Why the viewer cannot move now, or "". */
  #waiting() {
    const { status, to_act, players, moves = [] } = this.#game;
    if (status === "finished") return t("The game is over.");
    if (moves.length > 0) return "";
    if (this.#eyes === null && this.#here().length === 0) return watchingOnly();
    const names = list(to_act.map((actor) => (actor === "chance" ? t("chance") : players[actor])));
    return t("It is not your turn: {names} to act.", { names });
  }

  /** Show what each move is worth, or hide it again. */
  async #hint() {
    if (this.hints.areShown) {
      this.hints.clear();
      return this.#draw();
    }
    const token = this.#token;
    this.areas.main.classList.add("thinking");
    try {
      const version = await this.hints.ask(token);
      // The player may have moved meanwhile.
      if (version === this.#game.version) this.#draw();
      else this.hints.clear();
    } catch (error) {
      refuse(error);
    }
    this.areas.main.classList.remove("thinking");
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  #draw() {
    const { tools, table, actions, aside, choices, status, moves, ending, guide, links, people: seats, main } = this.areas;
    /** @type {Set<string>} */
    const drawn = new Set();
    this.taps.begin();
    const scene = this.#scene(this.#game, drawn);
    const unseen = this.#unseen;
    this.#unseen = [];
    moving(main, () => this.#drawMoment(scene), unseen, this.#eyes);
    const best = scene.moves.find(({ notation }) => notation === this.hints.best);
    const hint = best && [t("Best: {move}.", { move: this.#name(best) }), meaning()].join(" ");
    const persons = this.#standing(scene);
    const act = this.#act.bind(this);
    render(aside, ...people.beside(persons, act, this.api.now()), this.#hintButton());
    render(seats, ...people.players(persons, act));
    panels.showLinks(links, this.#game, this.#chairs);
    render(status, ...panels.status(scene, this.#drawing, hint), this.#watching(), this.#passing());
    render(choices, ...this.#choices());
    render(guide, this.#guide(scene));
    const left = scene.moves.filter((move) => !drawn.has(move.notation));
    render(actions, ...left.map((move) => this.#button(move)));
    render(moves, ...panels.moves(this.hints.sorted(scene.moves), (move) => this.#button(move)));
    render(tools, ...this.#tools());
    render(table, ...this.#actions());
    document.title = `${scene.moves.length > 0 ? "● " : ""}${list(this.#game.players)}: ${this.#about.title}`;
    if (main.dataset.version !== String(this.#game.version)) this.#reveal();
    main.dataset.version = String(this.#game.version);
    const isFinished = this.#game.status === "finished";
    main.classList.toggle("finished", isFinished);
    moves.closest("details")?.toggleAttribute("hidden", isFinished);
    if (isFinished) {
      const chairs = this.place.host ? this.#chairs : null;
      const token = this.#host ?? this.#chairs.find((chair) => chair.token)?.token;
      this.ending.show(ending, scene, { chairs, module: this.#drawing, replay: this.#replay, token });
    }
  }

  /** @param {Scene} scene @returns {people.Standing} */
  #standing({ game, about, events }) {
    return { game, events, levels: about.labels.bots, chairs: this.#chairs, here: this.#here(), host: this.#host };
  }

  /** Bring a place on the board where the viewer can move onto the screen, if none is: the dock covers the lower part. */
  #reveal() {
    const dock = this.areas.status.closest(".dock")?.getBoundingClientRect();
    if (!dock) return;
    this.areas.main.style.setProperty("--covered", `${dock.height + MARGIN}px`);
    const boxes = [...this.areas.board.querySelectorAll(".spot")].map((spot) => spot.getBoundingClientRect());
    if (boxes.some(({ top, bottom }) => top >= 0 && bottom <= dock.top)) return;
    const below = Math.max(...boxes.map(({ bottom }) => bottom)) - dock.top;
    if (below > 0) window.scrollBy({ top: below + MARGIN });
  }

  /** Draw what changes from event to event, also when a finished game is stepped through. @param {Scene} scene */
  #drawMoment(scene) {
    const { board, hand, score, history, replay } = this.areas;
    if (this.#game.status === "finished" && !this.#replay) {
      this.#replay = this.#replayed();
      replay.replaceChildren(this.#replay.element);
    }
    const drawing = this.#drawing.draw(scene);
    render(board, ...drawing.board);
    render(hand, ...drawing.dock);
    render(score, ...panels.score(scene, this.#drawing));
    panels.showHistory(history, scene, this.#drawing, this.#events, this.#replay?.go.bind(this.#replay));
  }

  #replayed() {
    const events = this.#events;
    const scene = this.#scene(this.#game, new Set());
    const show = (/** @type {import("./types.js").Game} */ game, /** @type {HistoryEvent[]} */ between) =>
      moving(this.areas.main, () => this.#drawMoment(this.#scene(game, new Set())), between, null);
    return new Replay(this.api, this.path, {
      events,
      caption: (version) => (version ? panels.tell(events[version - 1], scene, this.#drawing) : t("the start")),
      show,
      fail: refuse,
    });
  }

  /**
   * @param {import("./types.js").Game} game
   * @param {Set<string>} drawn Collects the notations of moves that a drawn element makes.
   * @returns {Scene}
   */
  #scene(game, drawn) {
    const cover = (/** @type {Move[]} */ moves) => moves.forEach(({ notation }) => drawn.add(notation));
    return {
      game,
      about: this.#about,
      score: game.score,
      me: this.#eyes,
      you: this.#here().length === 1 ? this.#eyes : null,
      events: standing(this.#events.slice(0, game.version)),
      moves: game.moves ?? [],
      picked: this.#picked,
      redraw: () => this.#draw(),
      cover,
      worth: (moves) => this.hints.badge(moves, (move) => this.#verb(move)),
      spot: (moves, look, ...content) => {
        cover(moves);
        return this.#spot(moves, look, ...content);
      },
    };
  }

  /** @type {import("./types.js").Spot} */
  #spot(moves, look, ...content) {
    const { key, class: name, label, title, part, hot, home } = look;
    // Nothing can be tapped in a finished game, or by a spectator.
    if (this.#game.status === "finished" || this.#eyes === null) {
      return h("div", { class: name, "data-key": key, "data-home": home }, ...content);
    }
    this.taps.add(moves, look);
    const isLegal = moves.length > 0;
    const isChosen = this.taps.isChosen(key);
    const verb = (/** @type {Move} */ move) => this.#verb(move, part);
    const worth = this.hints.text(moves, verb);
    const kind = [isLegal && "spot", part, isChosen && "chosen", part !== "piece" && this.taps.isGoal(moves) && "goal"];
    return h(
      "button",
      {
        class: [name, ...kind].filter(Boolean).join(" "),
        type: "button",
        "data-key": key,
        "data-tap": true,
        "data-home": home,
        "data-drag": isLegal && part === "piece",
        "data-hot": isLegal ? hot : null,
        "aria-label": isLegal ? [label, worth].filter(Boolean).join(": ") : title,
        "aria-pressed": isLegal && part === "piece" ? String(isChosen) : null,
        // A button that is not disabled can say why it does nothing.
        "aria-disabled": isLegal ? null : "true",
        tabindex: isLegal ? null : "-1",
        onclick: () => this.taps.tap(key).catch(refuse),
      },
      ...content,
      part !== "place" && this.hints.badge(moves, verb),
    );
  }

  /** The moves between which the player chooses, after a tap on a piece or a place. */
  #choices() {
    const offered = this.taps.offered;
    if (offered.length === 0) return [];
    const short = (/** @type {Move} */ move) => this.#drawing.choice?.(move);
    const buttons = this.hints.sorted(offered).map((move) => this.#button(move, move.type.charAt(0), short(move)));
    const cancel = () => this.taps.cancel();
    const look = { class: "button quiet cancel", "data-key": "cancel", "aria-label": t("Cancel"), onclick: cancel };
    return [...buttons, h("button", look, icon("cross"))];
  }

  /** A move in words. @param {Move} move */
  #name(move) {
    return this.#drawing.name?.(move, this.#about) ?? sentence(spell(move.notation, this.#about));
  }

  /** @param {Move} move @param {import("./types.js").Look["part"]} [part] */
  #verb(move, part) {
    return this.#drawing.verb?.(move, part) ?? "";
  }

  /** A move as a plain button. @param {Move} move @param {string} [hot] @param {string} [shown] Instead of its name. */
  #button(move, hot, shown) {
    const make = () => this.taps.make(move, move.notation).catch(refuse);
    const label = this.#name(move);
    const worth = this.hints.text([move], () => "");
    return h(
      "button",
      {
        class: "button spot",
        type: "button",
        "data-key": move.notation,
        "data-hot": hot,
        "aria-label": worth || shown ? [label, worth].filter(Boolean).join(": ") : null,
        onclick: make,
      },
      shown ?? label,
      this.hints.badge([move], () => ""),
    );
  }

  #hintButton() {
    if ((this.#game.moves?.length ?? 0) < 2) return null;
    const state = { "aria-pressed": String(this.hints.areShown), "data-key": "hint", "data-hot": "h" };
    return h("button", { class: "button", ...state, onclick: () => this.#hint() }, t("Hint"));
  }

  #tools() {
    return [
      rulesButton(() => ({ about: this.#about, options: this.#game.options })),
      h("button", { class: "button wide-only", "data-key": "keys", "data-hot": "?", onclick: showKeys }, t("Keyboard")),
    ];
  }

  /** Actions at the table that are no moves. */
  #actions() {
    const isOpen = this.#game.status === "finished" || this.#host !== undefined;
    return [isOpen && saveButton(this.api, this.#game, this.#host)];
  }

  /** What a newcomer does now, and why, until the player has understood it. @param {Scene} scene */
  #guide(scene) {
    const name = /** @type {const} */ (`guided:${this.#game.variant}`);
    if (scene.you === null || scene.moves.length === 0 || memory.preference(name)) return null;
    const done = () => {
      memory.prefer(name, "yes");
      this.#draw();
    };
    const own = scene.events.filter((event) => event.actor === scene.you && isMove(event)).length;
    const text = this.#drawing.guide?.(scene, own);
    if (!text) {
      if (own > 0) memory.prefer(name, "yes");
      return null;
    }
    return h("p", {}, text, " ", h("button", { class: "button quiet", onclick: done }, t("Got it")));
  }

  /** To the host's address on another device: it only watches. */
  #watching() {
    const isElsewhere = this.place.host && this.#here().length === 0 && !memory.recall(this.place.game);
    return isElsewhere ? h("p", { class: "passing" }, watchingOnly()) : null;
  }

  /** The prompt to pass the device to the next player, in games with hidden cards. */
  #passing() {
    if (this.#next === null) return null;
    const name = this.#game.players[this.#next];
    const hidden = this.#eyes === null;
    return h(
      "p",
      { class: "passing" },
      hidden
        ? t("All cards are hidden. Pass the device to {name}.", { name })
        : t("Next is {name}.", { name }),
      h(
        "button",
        { class: "button primary", "data-key": "pass", onclick: () => this.#pass() },
        hidden ? t("I am {name}", { name }) : t("Hide my cards and pass to {name}", { name }),
      ),
    );
  }
}

const watchingOnly = () =>
  t("This device only watches. To play, open the link of your seat: the browser in which the game was created has it under “Links to send”.");

/** Whether the position hides something from the viewer. @param {import("./types.js").Game} game */
const hides = (game) => JSON.stringify(game.position).includes('"?"');

// The controller of a game page: loads the game, chooses the viewer, draws and sends moves.

import * as address from "./address.js";
import { INCLUDED, Problem } from "./api.js";
import { choose, fill, h } from "./dom.js";
import { load } from "./games/index.js";
import { Hints } from "./hints.js";
import { History } from "./history.js";
import { follow } from "./live.js";
import * as memory from "./memory.js";
import * as panels from "./panels.js";
import { dismiss, refuse } from "./refusals.js";
import { Replay } from "./replay.js";
import { rulesButton } from "./rules.js";
import { saveButton } from "./saved.js";
import { Verdict } from "./verdict.js";
import { list, sentence, spell } from "./words.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Scene} Scene */

export class Table {
  /** @type {import("./types.js").Game} */
  #game;
  /** @type {import("./types.js").About} */
  #about;
  /** @type {import("./games/index.js").GameModule} */
  #drawing;
  /** @type {import("./types.js").HistoryEvent[]} */
  #events = [];
  /** @type {import("./types.js").Chair[]} */
  #chairs = [];
  /** The seat whose view is shown, or `null` for a spectator's view. @type {number | null} */
  #eyes = null;
  /** The seat that the device must be passed to, if any. @type {number | null} */
  #next = null;
  /** @type {Set<number>} */
  #picked = new Set();
  #isActing = false;
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
    this.verdict = new Verdict(api, this.path);
    this.areas = panels.lay(main);
  }

  /** Load the game and keep it up to date. */
  async open() {
    try {
      this.#game = await this.api.get(this.whole, { token: this.place.token });
      this.#about = await this.api.get(`variants/${this.#game.variant}`);
      this.#drawing = await load(this.#game.variant);
      memory.firstCommitment(this.#game);
      this.#chairs = this.#seating();
      panels.showLinks(this.areas.links, this.#game, this.#chairs);
      if (this.#here().length === 1) this.#eyes = this.#here()[0];
      await this.#update(() => this.#show({ game: this.#game, token: this.place.token }));
    } catch (error) {
      if (!this.signal.aborted) this.#cannotOpen(error);
      return;
    }
    const token = this.#chairs.find((chair) => chair.token)?.token;
    await follow(this.api, this.path, {
      token,
      signal: this.signal,
      version: () => this.#game.version,
      onNews: (game, events) => this.#receive(game, events, token).catch(refuse),
      onState: panels.showConnection,
    });
  }

  /** @param {unknown} error */
  #cannotOpen(error) {
    refuse(error);
    if (error instanceof Problem && error.status === 404) memory.forget(this.place.game);
    fill(
      this.areas.main,
      h("p", { class: "setup" }, "This game does not exist. ", h("a", { href: "./" }, "Create a new one"), "."),
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
    return this.#chairs.flatMap((chair, seat) => (chair.kind === "here" ? [seat] : []));
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
      const token = eyes === null ? undefined : this.#chairs[eyes].token;
      const game = given && given.token === token ? given.game : await this.api.get(this.whole, { token });
      given = undefined;
      if (this.#look(game)) continue;
      const events = await this.history.upTo(game, token);
      // The viewer changed: load again.
      if (eyes !== this.#eyes) continue;
      if (game.version !== this.#game.version) {
        this.#picked.clear();
        this.hints.clear();
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
   * @param {number} seen
   */
  async #make(move, seen) {
    if (this.#isActing) return;
    this.#isActing = true;
    this.areas.main.classList.add("busy");
    const { token } = this.#chairs[move.seat];
    try {
      const { game, events } = await this.api.post(`${this.path}/moves?include=${INCLUDED}`, move, { token, seen });
      dismiss();
      await this.#receive(game, events, token);
    } catch (error) {
      refuse(error);
      await this.refresh().catch(refuse);
    }
    this.areas.main.classList.remove("busy");
    this.#isActing = false;
  }

  /** Show what each move is worth, or hide it again. */
  async #hint() {
    if (this.hints.areShown) {
      this.hints.clear();
      return this.#draw();
    }
    const token = this.#eyes === null ? undefined : this.#chairs[this.#eyes].token;
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
    const { tools, actions, status, moves, ending } = this.areas;
    /** @type {Set<string>} */
    const drawn = new Set();
    const scene = this.#scene(this.#game, drawn);
    fill(
      status,
      ...panels.status(scene, this.#events, this.#drawing.prompt),
      this.hints.explanation(this.#about),
      this.#passing(),
    );
    this.#drawMoment(scene);
    const left = scene.moves.filter((move) => !drawn.has(move.notation));
    fill(actions, ...left.map((move) => this.#button(move)));
    fill(moves, ...panels.moves(this.hints.sorted(scene.moves), (move) => this.#button(move)));
    fill(tools, ...this.#tools());
    document.title = `${scene.moves.length > 0 ? "● " : ""}${list(this.#game.players)}: ${this.#about.title}`;
    this.areas.main.dataset.version = String(this.#game.version);
    const isFinished = this.#game.status === "finished";
    moves.closest("details")?.toggleAttribute("hidden", isFinished);
    if (isFinished) this.verdict.show(ending, scene, this.#events);
  }

  /** Draw what changes from event to event, also when a finished game is stepped through. @param {Scene} scene */
  #drawMoment(scene) {
    const { board, score, history, replay } = this.areas;
    if (this.#game.status === "finished" && !this.#replay) {
      this.#replay = this.#replayed();
      fill(replay, this.#replay.element);
    }
    fill(board, ...this.#drawing.draw(scene));
    fill(score, ...panels.score(scene, this.#drawing.steps));
    panels.showHistory(history, scene, this.#events, this.#replay?.go.bind(this.#replay));
  }

  #replayed() {
    const events = this.#events;
    return new Replay(this.api, this.path, {
      version: this.#game.version,
      caption: (version) => (version ? panels.tell(events[version - 1], this.#game, this.#about) : "the start"),
      show: (game) => this.#drawMoment(this.#scene(game, new Set())),
      fail: refuse,
    });
  }

  /**
   * @param {import("./types.js").Game} game
   * @param {Set<string>} drawn Collects the notations of moves that a drawn element makes.
   * @returns {Scene}
   */
  #scene(game, drawn) {
    return {
      game,
      about: this.#about,
      score: game.score,
      me: this.#eyes,
      moves: game.moves ?? [],
      picked: this.#picked,
      redraw: () => this.#draw(),
      cover: (moves) => moves.forEach(({ notation }) => drawn.add(notation)),
      spot: (moves, look, ...content) => {
        for (const { notation } of moves) drawn.add(notation);
        return this.#spot(moves, look, ...content);
      },
    };
  }

  /** @type {import("./types.js").Spot} */
  #spot(moves, { class: name, label, ask }, ...content) {
    if (moves.length === 0) return h("div", { class: name }, ...content);
    const seen = this.#game.version;
    const act = async () => {
      const choices = moves.map((move) => ({
        label: sentence(spell(move.notation, this.#about)),
        extra: this.hints.badge([move]),
        value: move,
      }));
      const move = moves.length > 1 || ask ? await choose(label, choices) : moves[0];
      if (move) await this.#make(move, seen);
    };
    const worth = this.hints.text(moves);
    const spoken = worth ? `${label}, worth ${worth}` : label;
    return h(
      "button",
      { class: `${name} spot`, "aria-label": spoken, "data-key": label, onclick: act },
      ...content,
      this.hints.badge(moves),
    );
  }

  /** A move as a plain button. @param {Move} move */
  #button(move) {
    const seen = this.#game.version;
    const act = () => this.#make(move, seen);
    const label = sentence(spell(move.notation, this.#about));
    const worth = this.hints.text([move]);
    return h(
      "button",
      {
        class: "button spot",
        "data-key": move.notation,
        "aria-label": worth ? `${label}, worth ${worth}` : null,
        onclick: act,
      },
      label,
      this.hints.badge([move]),
    );
  }

  #tools() {
    const host = this.place.host ? memory.recall(this.place.game)?.host : undefined;
    const isPublic = this.#game.status === "finished";
    const hint = () => this.#hint();
    return [
      (this.#game.moves?.length ?? 0) > 1 &&
        h(
          "button",
          { class: "button", "aria-pressed": String(this.hints.areShown), "data-key": "hint", onclick: hint },
          "Hint",
        ),
      (isPublic || host) && saveButton(this.api, this.#game, host),
      rulesButton(() => ({ about: this.#about, options: this.#game.options })),
    ];
  }

  /** The prompt to pass the device to the next player, in games with hidden cards. */
  #passing() {
    if (this.#next === null) return null;
    const name = this.#game.players[this.#next];
    const hidden = this.#eyes === null;
    return h(
      "p",
      { class: "passing" },
      hidden ? `All cards are hidden. Pass the device to ${name}.` : `Next is ${name}.`,
      h(
        "button",
        { class: "button primary", "data-key": "pass", onclick: () => this.#pass() },
        hidden ? `I am ${name}` : `Hide my cards and pass to ${name}`,
      ),
    );
  }
}

/** Whether the position hides something from the viewer. @param {import("./types.js").Game} game */
const hides = (game) => JSON.stringify(game.position).includes('"?"');

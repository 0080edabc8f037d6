// A game at a table: what is known of it, through whose eyes it is seen, and what this page does for which seats.

import * as address from "./address.js";
import { Problem, sleep } from "./api.js";
import { decide } from "./bot.js";
import { choose, fill, h } from "./dom.js";
import { drawing } from "./games/index.js";
import { History } from "./history.js";
import { follow } from "./live.js";
import * as memory from "./memory.js";
import * as panels from "./panels.js";
import { Verdict } from "./verdict.js";
import { forgive, refuse } from "./refusals.js";
import { list, sentence, spell } from "./words.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Scene} Scene */

/** Milliseconds that a bot seems to think, so that people can follow. */
const THINKING = 500;

export class Table {
  /** @type {import("./types.js").Game} */
  #game;
  /** @type {import("./types.js").About} */
  #about;
  /** @type {import("./types.js").Score} */
  #score;
  /** @type {Move[]} */
  #moves = [];
  /** The ETag of what is drawn. @type {string | undefined} */
  #seen;
  /** @type {import("./types.js").HistoryEvent[]} */
  #events = [];
  /** @type {import("./types.js").Chair[]} */
  #chairs = [];
  /** Through whose eyes the game is seen; `null`: a spectator's. @type {number | null} */
  #eyes = null;
  /** Whose turn with the device it is, if that is somebody else's. @type {number | null} */
  #next = null;
  /** @type {Set<number>} */
  #picked = new Set();
  #isActing = false;
  /** @type {Set<number>} The bots that think. */
  #thinking = new Set();
  /** The refresh that runs. @type {Promise<void>} */
  #running = Promise.resolve();
  /** The refresh that comes after it. @type {Promise<void> | null} */
  #queued = null;

  /**
   * @param {import("./api.js").Api} api
   * @param {address.Place} place
   * @param {HTMLElement} main
   * @param {AbortSignal} signal When to leave.
   */
  constructor(api, place, main, signal) {
    this.api = api;
    this.place = place;
    this.signal = signal;
    this.path = `games/${encodeURIComponent(place.game)}`;
    this.history = new History(api, this.path);
    this.verdict = new Verdict(api, this.path);
    this.areas = panels.lay(main);
  }

  /** Sit down: from here on the table keeps itself up to date. */
  async open() {
    try {
      this.#game = await this.api.get(this.path, { token: this.place.token });
      this.#about = await this.api.get(`variants/${this.#game.variant}`);
      memory.firstCommitment(this.#game);
      this.#chairs = this.#seating();
      panels.showLinks(this.areas.links, this.#game, this.#chairs);
      if (this.#here().length === 1) this.#eyes = this.#here()[0];
      await this.refresh();
    } catch (error) {
      if (!this.signal.aborted) this.#cannotOpen(error);
      return;
    }
    const token = this.#chairs.find((chair) => chair.token)?.token;
    await follow(this.api, this.path, {
      token,
      signal: this.signal,
      version: () => this.#game.version,
      heard: (version) => this.#catchUp(version).catch(refuse),
      mood: panels.showMood,
    });
  }

  /** @param {unknown} error */
  #cannotOpen(error) {
    refuse(error);
    if (error instanceof Problem && error.status === 404) memory.forget(this.place.game);
    fill(
      this.areas.main,
      h("p", { class: "setup" }, "There is no table here. ", h("a", { href: "./" }, "Set one up"), "."),
    );
  }

  /** Who plays which seat, as far as this page knows. */
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

  /** Ask for everything anew and draw it: one at a time, and one more if asked meanwhile. */
  refresh() {
    this.#queued ??= (async () => {
      await this.#running.catch(() => {});
      this.#queued = null;
      this.#running = this.signal.aborted ? Promise.resolve() : this.#fetch();
      await this.#running;
    })();
    return this.#queued;
  }

  /** The game has come to that version, if it is not known yet. @param {number} version */
  async #catchUp(version) {
    await this.#running.catch(() => {});
    if (version > this.#game.version) await this.refresh();
  }

  async #fetch() {
    for (;;) {
      const eyes = this.#eyes;
      const token = eyes === null ? undefined : this.#chairs[eyes].token;
      const game = await this.api.get(this.path, { token });
      if (this.#look(game)) continue;
      const [listed, score, events] = await Promise.all([
        token ? this.api.get(`${this.path}/moves`, { token }) : { version: game.version, moves: [] },
        this.api.get(`${this.path}/score`),
        this.history.upTo(game, token),
      ]);
      // Somebody moved between the answers, or the device was passed on: ask again.
      if (listed.version !== game.version || eyes !== this.#eyes) continue;
      if (game.version !== this.#game.version) this.#picked.clear();
      [this.#game, this.#moves, this.#score, this.#events] = [game, listed.moves, score, events];
      this.#seen = this.api.seen(this.path, token);
      break;
    }
    this.#draw();
    this.#wakeBots();
  }

  /**
   * Decide through whose eyes the game is seen.
   * @param {import("./types.js").Game} game
   * @returns {boolean} Whether they are others' than before.
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

  /** Show the table to the next of those who share the device, or to nobody until they have it. */
  #pass() {
    this.#eyes = this.#eyes === null ? this.#next : null;
    return this.refresh();
  }

  // Acting -----------------------------------------------------------------------------------------------------------

  /**
   * What was seen is sent along, so that nobody decides about something that has changed meanwhile.
   * @param {Move} move
   * @param {string | undefined} seen
   */
  async #make(move, seen) {
    if (this.#isActing) return;
    this.#isActing = true;
    this.areas.main.classList.add("busy");
    const { token } = this.#chairs[move.seat];
    try {
      const { version } = await this.api.post(`${this.path}/moves`, move, { token, seen });
      forgive();
      await this.#catchUp(version);
    } catch (error) {
      refuse(error);
      await this.refresh().catch(refuse);
    }
    this.areas.main.classList.remove("busy");
    this.#isActing = false;
  }

  #wakeBots() {
    for (const seat of this.#game.to_act) {
      if (seat !== "chance" && this.#chairs[seat].kind === "bot" && !this.#thinking.has(seat)) this.#think(seat);
    }
  }

  /** @param {number} seat */
  async #think(seat) {
    const { token } = this.#chairs[seat];
    this.#thinking.add(seat);
    await sleep(THINKING);
    if (this.signal.aborted) return;
    const path = `${this.path}/moves`;
    try {
      const { moves } = await this.api.get(path, { token });
      if (moves.length > 0) await this.api.post(path, decide(moves), { token, seen: this.api.seen(path, token) });
    } catch (error) {
      // Another tab may have moved for the same bot: then that is what happened.
      if (!(error instanceof Problem)) refuse(error);
    }
    this.#thinking.delete(seat);
    await this.refresh().catch(refuse);
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  #draw() {
    const { board, actions, status, moves, score, history, ending } = this.areas;
    /** @type {Set<string>} */
    const drawn = new Set();
    const scene = this.#scene(drawn);
    fill(status, ...panels.status(scene, this.#events), this.#passing());
    fill(board, ...drawing(this.#game.variant)(scene));
    const left = this.#moves.filter((move) => !drawn.has(move.notation));
    fill(actions, ...left.map((move) => this.#button(move)));
    fill(moves, ...panels.moves(scene, (move) => this.#button(move)));
    fill(score, ...panels.score(scene));
    fill(history, ...panels.history(scene, this.#events));
    document.title = `${this.#moves.length > 0 ? "● " : ""}${list(this.#game.players)}: ${this.#about.title}`;
    this.areas.main.dataset.version = String(this.#game.version);
    if (this.#game.status === "finished") this.verdict.show(ending, scene, this.#events);
  }

  /** @param {Set<string>} drawn Gets to know the moves that something drawn stands for. @returns {Scene} */
  #scene(drawn) {
    return {
      game: this.#game,
      about: this.#about,
      score: this.#score,
      me: this.#eyes,
      moves: this.#moves,
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
    const seen = this.#seen;
    const act = async () => {
      const choices = moves.map((move) => ({ label: sentence(spell(move.notation, this.#about)), value: move }));
      const move = moves.length > 1 || ask ? await choose(label, choices) : moves[0];
      if (move) await this.#make(move, seen);
    };
    return h("button", { class: `${name} spot`, "aria-label": label, "data-key": label, onclick: act }, ...content);
  }

  /** A move as a plain button. @param {Move} move */
  #button(move) {
    const seen = this.#seen;
    const act = () => this.#make(move, seen);
    const label = sentence(spell(move.notation, this.#about));
    return h("button", { class: "button spot", "data-key": move.notation, onclick: act }, label);
  }

  /** What those who share a device with secrets do between their turns. */
  #passing() {
    if (this.#next === null) return null;
    const name = this.#game.players[this.#next];
    const hidden = this.#eyes === null;
    return h(
      "p",
      { class: "passing" },
      hidden ? `Nobody's cards are shown. Is ${name} at the device?` : `Next is ${name}.`,
      h(
        "button",
        { class: "button primary", "data-key": "pass", onclick: () => this.#pass() },
        hidden ? `I am ${name}` : `Hide my cards and pass to ${name}`,
      ),
    );
  }
}

/** Whether something in it is kept from whoever looks. @param {import("./types.js").Game} game */
const hides = (game) => JSON.stringify(game.position).includes('"?"');

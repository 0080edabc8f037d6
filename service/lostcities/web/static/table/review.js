// The review of a finished game: the score of each seat over the game, the lead that the service's best bot expected
// where its advice was asked, and the costliest mistakes.

import { Problem } from "./api.js";
import { h, render, svg } from "./dom.js";
import { isMove } from "./history.js";
import { refuse } from "./refusals.js";
import { t } from "./texts.js";
import { ended, rounded, sentence, signed, spell } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").HistoryEvent} HistoryEvent */
/** @typedef {import("./types.js").Move & {value: number, loss: number, loss_error: number, mistake: boolean}} ValuedMove */
/** @typedef {{version: number, seat: number, made: ValuedMove, best: ValuedMove}} Decision */

/** The most positions of a game whose score is asked for. */
const SAMPLES = 60;
/** Mistakes that are listed. */
const COSTLIEST = 3;
/** The size of the graph, in its own units. */
const [WIDTH, HEIGHT] = [600, 200];

export class Review {
  /** The score of each seat at some versions. @type {Map<number, number[]>} */
  #totals = new Map();
  /** @type {Decision[]} */
  #decisions = [];
  #stopped = new AbortController();
  #isRunning = false;

  /**
   * @param {import("./api.js").Api} api
   * @param {string} path
   * @param {{scene: Scene, module: import("./games/index.js").GameModule, replay: import("./replay.js").Replay, token?: string}} finished
   *   `token`: of the game. Without one only the scores are shown.
   */
  constructor(api, path, { scene, module, replay, token }) {
    this.api = api;
    this.path = path;
    this.scene = scene;
    this.module = module;
    this.replay = replay;
    this.token = token;
    this.content = h("div", { class: "reviewed" });
    this.start = h("button", { class: "button", onclick: () => this.#toggle().catch(refuse) }, t("Review the game"));
    this.bar = h("progress", { hidden: true, "aria-label": t("Progress of the review"), value: 0, max: 1 });
    const title = t("Review");
    this.element = h("section", { class: "review", "aria-label": title }, this.start, this.bar, this.content);
  }

  async #toggle() {
    if (this.#isRunning) return this.#stopped.abort();
    this.#isRunning = true;
    this.#stopped = new AbortController();
    this.start.textContent = t("Stop");
    this.bar.hidden = false;
    try {
      await this.#readScores();
      await this.#judgeDecisions();
    } finally {
      this.#isRunning = false;
      this.bar.hidden = true;
      this.start.textContent = t("Review the game");
      this.start.hidden = !this.#stopped.signal.aborted;
    }
  }

  async #readScores() {
    const { last } = this.replay;
    const step = Math.max(1, Math.ceil(last / SAMPLES));
    const versions = Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step);
    for (const version of [...versions, last]) {
      if (this.#stopped.signal.aborted) return;
      const { score } = await this.replay.at(version);
      this.#totals.set(version, score.seats.map(({ total }) => total));
      this.#show(version / last / 2);
    }
  }

  /** Ask for the advice at each decision of a person, one after the other. */
  async #judgeDecisions() {
    const { events, game } = this.scene;
    const own = events.filter((event) => isMove(event) && !game.bots[Number(event.actor)]);
    if (!this.token) return this.#show(1, t("The expert judges the moves only for those who have played the game."));
    for (const [index, event] of own.entries()) {
      if (this.#stopped.signal.aborted) return;
      try {
        const decision = await this.#judge(event);
        if (decision) this.#decisions.push(decision);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        // A bot made this move, before a person took the seat over.
        if (error.code === "bot-seat") continue;
        return this.#show(1, ended(error.message));
      }
      this.#show(0.5 + (index + 1) / own.length / 2);
    }
  }

  /** @param {HistoryEvent} event @returns {Promise<Decision | null>} */
  async #judge({ version, actor, notation }) {
    const query = { version: version - 1, seat: Number(actor) };
    /** @type {{moves: ValuedMove[]}} */
    const { moves } = await this.api.get(`${this.path}/advice`, { token: this.token, query, signal: this.#stopped.signal });
    const made = moves.find((move) => move.notation === notation);
    if (!made) return null;
    return { version, seat: query.seat, made, best: moves[0] };
  }

  /** @param {number} progress @param {string} [note] */
  #show(progress, note) {
    this.bar.value = progress;
    render(this.content, this.#graph(), this.#legend(), this.#costliest(), note && h("p", { class: "due" }, note));
  }

  /** The scores as lines, and the expected leads as dots. */
  #graph() {
    const { last } = this.replay;
    const points = [...this.#totals].sort(([a], [b]) => a - b);
    const values = [0, ...points.flatMap(([, totals]) => totals), ...this.#decisions.map(({ made }) => made.value)];
    const [low, high] = [Math.min(...values), Math.max(...values, Math.min(...values) + 1)];
    const at = (/** @type {number} */ version, /** @type {number} */ value) =>
      `${((version / last) * WIDTH).toFixed(1)},${(HEIGHT - ((value - low) / (high - low)) * HEIGHT).toFixed(1)}`;
    const lines = this.scene.game.players.map((_, seat) =>
      svg("polyline", {
        class: `line seat-${seat}`,
        points: points.map(([version, totals]) => at(version, totals[seat])).join(" "),
      }),
    );
    const dots = this.#decisions.map(({ version, seat, made }) => {
      const [cx, cy] = at(version, made.value).split(",");
      return svg("circle", { class: `dot seat-${seat}`, cx, cy, r: 3 });
    });
    const zero = at(0, 0).split(",")[1];
    const totals = points.at(-1)?.[1] ?? [];
    const label = this.scene.game.players.map((name, seat) => `${name} ${signed(totals[seat] ?? 0)}`).join(", ");
    return svg(
      "svg",
      { class: "graph", viewBox: `-8 -8 ${WIDTH + 16} ${HEIGHT + 16}`, role: "img", "aria-label": t("Score over the game: {label}", { label }) },
      svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: zero, y2: zero }),
      ...lines,
      ...dots,
    );
  }

  #legend() {
    const names = this.scene.game.players.map((name, seat) => h("li", { class: `seat-${seat}` }, name));
    const dots = this.#decisions.length > 0 && h("li", { class: "due" }, t("Dots: the lead that the expert expected after a move."));
    return h("ul", { class: "legend" }, ...names, dots);
  }

  #costliest() {
    const costly = this.#decisions
      .filter(({ made }) => made.mistake)
      .sort((a, b) => b.made.loss - a.made.loss)
      .slice(0, COSTLIEST);
    if (costly.length === 0) return null;
    const { about } = this.scene;
    const name = (/** @type {ValuedMove} */ move) => this.module.name?.(move, about) ?? sentence(spell(move.notation, about));
    const rows = costly.map(({ version, seat, made, best }) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "button", "data-key": `decision ${version}`, onclick: () => this.replay.go(version - 1) },
          t("{name}: “{made}” cost {cost} ± {error} points; the expert would have chosen “{best}”.", {
            name: this.scene.game.players[seat],
            made: name(made),
            best: name(best),
            cost: rounded(made.loss),
            error: rounded(made.loss_error),
          }),
        ),
      ),
    );
    return h("div", {}, h("h2", {}, t("The costliest mistakes")), h("ol", { class: "costly" }, ...rows));
  }
}

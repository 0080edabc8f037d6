// The form for everything but a game against a bot: players, options, a saved game.

import { create, NAMES, opponent, shortTitle } from "./creating.js";
import { h } from "./dom.js";
import { load } from "./games/index.js";
import { field } from "./options.js";
import { refuse } from "./refusals.js";
import { rulesButton } from "./rules.js";
import { openButton } from "./saved.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").About} About */

/** How a person plays. @returns {Record<string, string>} */
const kinds = () => ({ here: t("plays here"), link: t("gets a link") });
/** @param {import("./api.js").Api} api @param {{variant: string, title: string}[]} variants */
export function form(api, variants) {
  const seats = h("div", { class: "seats" });
  const options = h("div", { class: "options" });
  const choices = variants.map((each) => h("option", { value: each.variant }, shortTitle(each)));
  const picker = h("select", { "aria-label": t("Game"), onchange: () => pick(picker.value).catch(refuse) }, ...choices);
  const tools = h("div", { class: "tools" });
  const seed = text(
    t("Seed"),
    { name: "seed", pattern: "[0-9a-fA-F]{64}" },
    t("The number from which all cards and dice follow: 64 hexadecimal digits. The same seed gives the same game. Leave it empty for a random game."),
  );
  const time = timing();
  const key = text(t("API key"), { name: "key" }, t("Needed only if the service requires one."));
  /** @type {About} */
  let about;
  /** @type {ReturnType<typeof field>[]} */
  let fields = [];

  async function pick(/** @type {string} */ variant) {
    const [picked, module] = await Promise.all([api.about(variant), load(variant)]);
    // The user may have picked another variant meanwhile.
    if (picker.value !== variant) return;
    about = picked;
    const words = module.options?.() ?? {};
    fields = about.options.map((option) => field(option, words[option.name]));
    const subject = { about, options: defaults(about) };
    tools.replaceChildren(rulesButton(() => subject));
    seats.replaceChildren(seating(about));
    options.replaceChildren(...fields.map(({ element }) => element));
  }

  async function start(/** @type {SubmitEvent} */ event) {
    event.preventDefault();
    const rows = [...seats.querySelectorAll(".seat:not([hidden])")];
    const names = rows.map((row) => /** @type {HTMLInputElement} */ (row.querySelector("input")).value.trim());
    const how = rows.map((row) => /** @type {HTMLSelectElement} */ (row.querySelector("select")).value);
    const players = names.map((name, seat) => (how[seat] in kinds() ? name : { name, bot: how[seat] }));
    const chosen = Object.fromEntries(
      fields.flatMap(({ name, read }) => read()?.map((/** @type {any} */ value) => [name, value]) ?? []),
    );
    const wishes = { options: chosen, ...time.read(), ...(seed.input.value && { seed: seed.input.value.trim() }) };
    const chairs = how.map((kind) => (kind in kinds() ? /** @type {import("./types.js").Chair["kind"]} */ (kind) : null));
    await create(api, about, players, chairs, { wishes, key: key.input.value.trim() });
  }

  const element = h(
    "form",
    { onsubmit: (/** @type {SubmitEvent} */ event) => start(event).catch(refuse) },
    h("div", { class: "pick" }, picker, tools),
    h("fieldset", {}, h("legend", {}, t("Players")), seats),
    h("details", { class: "panel" }, h("summary", {}, t("Options")), options, ...time.elements, seed.element, key.element),
    h("button", { class: "button primary", type: "submit" }, t("Start")),
  );
  pick(picker.value).catch(refuse);
  return [element, openButton(api, () => key.input.value.trim())];
}

/** @param {About} about */
const defaults = ({ options }) => Object.fromEntries(options.map((each) => [each.name, each.default]));

/** A row for each possible seat. Rows beyond the chosen number are hidden. @param {About} about */
function seating(about) {
  const { seats: { min, max }, bots, labels } = about;
  const choices = [...Object.entries(kinds()), ...bots.map((level) => [level, t("{level} bot", { level: labels.bots[level] })])];
  const rows = Array.from({ length: max }, (_, seat) =>
    h(
      "div",
      { class: "seat", hidden: seat >= min },
      h("input", {
        "aria-label": t("Name of player {number}", { number: seat + 1 }),
        value: NAMES[seat] ?? t("Player {number}", { number: seat + 1 }),
        maxlength: "40",
        required: true,
      }),
      h(
        "select",
        { "aria-label": t("How player {number} plays", { number: seat + 1 }) },
        ...choices.map(([kind, name]) =>
          h("option", { value: kind, selected: kind === (seat ? opponent(about) : "here") }, name),
        ),
      ),
    ),
  );
  const numbers = Array.from({ length: max - min + 1 }, (_, index) =>
    h("option", { value: min + index }, String(min + index)),
  );
  const number = h(
    "select",
    { onchange: () => rows.forEach((row, seat) => row.toggleAttribute("hidden", seat >= Number(number.value))) },
    ...numbers,
  );
  const levels = bots.flatMap((level) => [h("dt", {}, labels.bots[level]), h("dd", {}, labels.bot_texts[level])]);
  return h(
    "div",
    {},
    max > min && h("label", { class: "option" }, h("span", {}, t("How many")), number),
    ...rows,
    h("dl", { class: "levels", "aria-label": t("Bots") }, ...levels),
  );
}

/** The time that a player has to act, and what a claim does after it. */
function timing() {
  /** @type {[value: string, name: string][]} */
  const limits = [
    ["", t("no limit")],
    ["60", t("1 minute")],
    ["300", t("5 minutes")],
    ["3600", t("1 hour")],
    ["86400", t("1 day")],
    ["259200", t("3 days")],
  ];
  const select = (/** @type {[value: string, name: string][]} */ choices) =>
    h("select", {}, ...choices.map(([value, name]) => h("option", { value }, name)));
  const limit = select(limits);
  const end = select([
    ["resign", t("the player has resigned")],
    ["bot", t("a bot plays on")],
  ]);
  const labelled = (/** @type {string} */ title, /** @type {HTMLElement} */ input, /** @type {string} */ hint) =>
    h("label", { class: "option" }, h("span", {}, title), input, h("small", {}, hint));
  return {
    elements: [
      labelled(t("Time for a turn"), limit, t("How long a player may think. Bots need none.")),
      labelled(t("When it is up"), end, t("It happens when another player or the host claims it.")),
    ],
    read: () => (limit.value ? { turn_seconds: Number(limit.value), on_timeout: end.value } : {}),
  };
}

/** @param {string} title @param {Record<string, string>} attributes @param {string} hint */
function text(title, attributes, hint) {
  const input = h("input", { autocomplete: "off", spellcheck: "false", ...attributes });
  return { input, element: h("label", { class: "option" }, h("span", {}, title), input, h("small", {}, hint)) };
}

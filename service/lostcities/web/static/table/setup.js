// The form to create a game. All choices come from the API, so a new variant or option needs no change here.

import { hosting } from "./address.js";
import { fill, h } from "./dom.js";
import { remember, tables } from "./memory.js";
import { field } from "./options.js";
import { dismiss, refuse } from "./refusals.js";
import { rulesButton } from "./rules.js";
import { openButton } from "./saved.js";
import { list, sentence } from "./words.js";

/** @typedef {import("./types.js").About} About */
/** @typedef {import("./types.js").Chair} Chair */

const NAMES = ["Ann", "Ben", "Cem", "Dia", "Eve"];
/** How a person plays. @type {Record<string, string>} */
const KINDS = { here: "plays here", link: "gets a link" };
/** What a level does. @type {Record<string, string>} */
const LEVELS = {
  random: "picks any legal move",
  greedy: "plays like a careful beginner",
  expert: "tries out how the game could go on",
};
/** The level that a seat has at first. */
const OPPONENT = "greedy";
/** @type {Chair} */
const BOT = { kind: "bot" };

/** @param {import("./api.js").Api} api @param {HTMLElement} main */
export async function setUp(api, main) {
  document.title = "Lost Cities: the table";
  const seats = h("div", { class: "seats" });
  const options = h("div", { class: "options" });
  const games = h("div", { class: "games" });
  const tools = h("div", { class: "tools" });
  // The contract is large and the same for all variants, so it is fetched once.
  const contract = api.get("openapi.json");
  const seed = text(
    "Seed",
    { name: "seed", pattern: "[0-9a-fA-F]{64}" },
    "64 hexadecimal digits: the same seed gives the same game. Leave it empty for a random game.",
  );
  const key = text("API key", { name: "key" }, "Needed only if the service requires one.");
  /** @type {About} */
  let about;
  /** @type {ReturnType<typeof field>[]} */
  let fields = [];

  async function pick(/** @type {string} */ variant) {
    const [picked, { components }] = await Promise.all([api.get(`variants/${variant}`), contract]);
    // The user may have picked another variant meanwhile.
    if (new FormData(form).get("variant") !== variant) return;
    about = picked;
    const schema = optionsOf(components.schemas, variant);
    fields = about.options.map((option) => field(option, schema[option.name]));
    fill(tools, rulesButton(subject));
    fill(seats, seating(about));
    fill(options, ...fields.map(({ element }) => element));
  }

  async function start(/** @type {SubmitEvent} */ event) {
    event.preventDefault();
    try {
      const rows = [...seats.querySelectorAll(".seat:not([hidden])")];
      const names = rows.map((row) => /** @type {HTMLInputElement} */ (row.querySelector("input")).value.trim());
      const kinds = rows.map((row) => /** @type {HTMLSelectElement} */ (row.querySelector("select")).value);
      const players = names.map((name, seat) => (kinds[seat] in KINDS ? name : { name, bot: kinds[seat] }));
      const chosen = Object.fromEntries(
        fields.flatMap(({ name, read }) => read()?.map((/** @type {any} */ value) => [name, value]) ?? []),
      );
      const wanted = {
        variant: about.variant,
        players,
        options: chosen,
        ...(seed.input.value && { seed: seed.input.value.trim() }),
      };
      const game = await api.post("games", wanted, { token: key.input.value.trim() });
      const chairs = kinds.map((kind, seat) =>
        kind in KINDS ? { kind: /** @type {Chair["kind"]} */ (kind), token: game.tokens.seats[seat] } : BOT,
      );
      remember({ id: game.id, title: about.title, players: names, chairs, host: game.tokens.host });
      dismiss();
      location.hash = hosting(game.id);
    } catch (error) {
      refuse(error);
    }
  }

  /** The picked variant with its default options. */
  const subject = () => ({
    about,
    options: Object.fromEntries(about.options.map((each) => [each.name, each.default])),
  });

  const form = h(
    "form",
    { class: "setup", onsubmit: start },
    h("h1", {}, "Set up a table"),
    h("p", {}, "The service checks every move. This page uses only its public API."),
    h("fieldset", {}, h("legend", {}, "Game"), games, tools),
    h("fieldset", {}, h("legend", {}, "Players"), seats),
    h("details", { class: "panel" }, h("summary", {}, "Options"), options, seed.element, key.element),
    h("button", { class: "button primary", type: "submit" }, "Start"),
    openButton(api, () => key.input.value.trim()),
  );
  main.className = "";
  delete main.dataset.version;
  fill(main, form, earlier());
  try {
    const { variants } = await api.get("variants");
    games.append(
      ...variants.map((/** @type {About} */ each, /** @type {number} */ index) => gameChoice(each, index === 0, pick)),
    );
    await pick(variants[0].variant);
  } catch (error) {
    refuse(error);
  }
}

/** @param {About} about @param {boolean} checked @param {(variant: string) => Promise<void>} pick */
function gameChoice({ variant, title, seats }, checked, pick) {
  const range = seats.min === seats.max ? `${seats.min} players` : `${seats.min} to ${seats.max} players`;
  return h(
    "label",
    { class: "game" },
    h("input", {
      type: "radio",
      name: "variant",
      value: variant,
      checked,
      onchange: () => pick(variant).catch(refuse),
    }),
    h("span", {}, h("b", {}, sentence(title.replace("Lost Cities: ", ""))), h("small", {}, range)),
  );
}

/** A row for each possible seat. Rows beyond the chosen number are hidden. @param {About} about */
function seating({ seats: { min, max }, bots }) {
  const kinds = [...Object.entries(KINDS), ...bots.map((level) => [level, `${level} bot`])];
  const opponent = bots.includes(OPPONENT) ? OPPONENT : bots[0];
  const rows = Array.from({ length: max }, (_, seat) =>
    h(
      "div",
      { class: "seat", hidden: seat >= min },
      h("input", {
        "aria-label": `Name of player ${seat + 1}`,
        value: NAMES[seat] ?? `Player ${seat + 1}`,
        maxlength: "40",
        required: true,
      }),
      h(
        "select",
        { "aria-label": `How player ${seat + 1} plays` },
        ...kinds.map(([kind, text]) =>
          h("option", { value: kind, selected: kind === (seat ? opponent : "here") }, text),
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
  const known = bots.filter((level) => level in LEVELS).map((level) => `${level} ${LEVELS[level]}`);
  return h(
    "div",
    {},
    max > min && h("label", { class: "option" }, h("span", {}, "How many"), number),
    ...rows,
    h("p", { class: "levels" }, `Bots: ${list(known)}.`),
  );
}

/** @param {string} title @param {Record<string, string>} attributes @param {string} hint */
function text(title, attributes, hint) {
  const input = h("input", { autocomplete: "off", spellcheck: "false", ...attributes });
  return { input, element: h("label", { class: "option" }, h("span", {}, title), input, h("small", {}, hint)) };
}

/**
 * The schemas of a variant's options, found through the schema of the request that creates a game.
 * @param {any} schemas
 * @param {string} variant
 */
function optionsOf(schemas, variant) {
  const at = (/** @type {any} */ schema) =>
    schema?.$ref ? schemas[schema.$ref.replace("#/components/schemas/", "")] : schema;
  const { oneOf, anyOf } = schemas.NewGame;
  const wanted = (oneOf ?? anyOf)
    .map(at)
    .find((/** @type {any} */ { properties }) => at(properties.variant)?.enum.includes(variant));
  const { properties } = at(wanted.properties.options);
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, at(schema)]));
}

/** The games that were created in this browser. */
function earlier() {
  const links = tables().map(({ id, title, players }) =>
    h("li", {}, h("a", { href: hosting(id) }, `${list(players)}: ${title}`)),
  );
  return (
    links.length > 0 &&
    h("section", { class: "setup earlier" }, h("h2", {}, "Tables set up here"), h("ul", {}, ...links))
  );
}

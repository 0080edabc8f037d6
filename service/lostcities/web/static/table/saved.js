// Saved games: the record of a game as a file, and a new game from such a file.

import { hosting } from "./address.js";
import { Problem } from "./api.js";
import { h } from "./dom.js";
import { remember } from "./memory.js";
import { dismiss, explain, refuse } from "./refusals.js";
import { t } from "./texts.js";

/** @typedef {import("./api.js").Api} Api */

/**
 * A button that downloads the record of a game.
 * @param {Api} api
 * @param {import("./types.js").Game} game
 * @param {string} [token] The host's token. Needed while the game is being played.
 */
export function saveButton(api, { id, variant }, token) {
  const save = async () => {
    const record = await api.get(`games/${id}/record`, { token });
    const href = URL.createObjectURL(new Blob([JSON.stringify(record, null, 2)], { type: "application/json" }));
    h("a", { href, download: `${variant}-${id}.json` }).click();
    URL.revokeObjectURL(href);
  };
  return h("button", { class: "button", "data-key": "save", onclick: () => save().catch(refuse) }, t("Save game"));
}

/**
 * A button that creates a game from a file and shows it.
 * @param {Api} api
 * @param {() => string} key The API key.
 */
export function openButton(api, key) {
  const open = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    const record = parse(await file.text());
    const game = await api.post("games", { record }, { token: key() });
    const { title } = await api.about(game.variant);
    const { id, variant, players, bots, tokens } = game;
    const chairs = tokens.seats.map((/** @type {string | null} */ token, /** @type {number} */ seat) =>
      bots?.[seat] ? { kind: "bot" } : { kind: "here", token },
    );
    remember({ id, variant, title, players, chairs, host: tokens.host });
    dismiss();
    location.hash = hosting(id);
  };
  const input = h("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    onchange: () => {
      open(input.files?.[0]).catch(refuseFile);
      // The same file can be opened again.
      input.value = "";
    },
  });
  const button = h("button", { class: "button", type: "button", onclick: () => input.click() }, t("Open a saved game"));
  return h("div", { class: "tools" }, button, input);
}

/** One sentence about a file that cannot be opened. @param {unknown} error */
function refuseFile(error) {
  if (!(error instanceof Problem) || error.status === 0 || error.parts.length === 0) return refuse(error);
  const [, event] = /^\/record\/events\/(\d+)/.exec(error.parts[0].pointer) ?? [];
  if (event === undefined) return explain(t("This file is not a saved game."));
  const [version, reason] = [Number(event) + 1, error.parts[0].detail];
  explain(t("This file is not a game that can be opened: event {version} is not possible ({reason}).", { version, reason }));
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem({ status: 0, code: "", title: t("This file is not a saved game.") });
  }
}

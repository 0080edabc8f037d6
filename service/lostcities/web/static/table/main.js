// The entry point: shows the game that the address names, or the form to create one.

import * as address from "./address.js";
import { api, texts } from "./ahead.js";
import { dismiss } from "./refusals.js";
import { showConnection, showLanguages } from "./settings.js";
import { setUp } from "./setup.js";
import { t } from "./texts.js";

const main = /** @type {HTMLElement} */ (document.getElementById("table"));

/** Aborted to leave the current view. @type {AbortController} */
let shown = new AbortController();

async function show() {
  shown.abort();
  shown = new AbortController();
  showConnection("over");
  dismiss();
  const place = address.read(location.hash);
  const { signal } = shown;
  if (!place) return setUp(api, main);
  // The first screen does not wait for the modules of a game's page.
  const { Table } = await import("./table.js");
  if (!signal.aborted) await new Table(api, place, main, signal).open();
}

/** The frame of the page, in the language of the reader. */
function showFrame() {
  const frame = { skip: t("Skip to the table"), again: t("New game"), docs: t("The API") };
  for (const [id, text] of Object.entries(frame)) {
    const element = document.getElementById(id);
    if (element) element.textContent = text;
  }
  showLanguages();
}

// The link must not change the fragment, which names the game.
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", show);
await texts;
showFrame();
await show();

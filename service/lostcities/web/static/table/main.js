// The entry point: shows the game that the address names, or the form to create one.

import * as address from "./address.js";
import { Api } from "./api.js";
import { showConnection } from "./panels.js";
import { setUp } from "./setup.js";
import { Table } from "./table.js";

const api = new Api();
const main = /** @type {HTMLElement} */ (document.getElementById("table"));

/** Aborted to leave the current view. @type {AbortController} */
let shown = new AbortController();

async function show() {
  shown.abort();
  shown = new AbortController();
  showConnection("over");
  const place = address.read(location.hash);
  if (place) await new Table(api, place, main, shown.signal).open();
  else await setUp(api, main);
}

// The link must not change the fragment, which names the game.
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", show);
show();

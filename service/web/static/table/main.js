// The entry: the fragment of the address says whether there is a game to sit down at, or one to set up.

import * as address from "./address.js";
import { Api } from "./api.js";
import { showMood } from "./panels.js";
import { setUp } from "./setup.js";
import { Table } from "./table.js";

const api = new Api();
const main = /** @type {HTMLElement} */ (document.getElementById("table"));

/** What is shown now, and how it is left. @type {AbortController} */
let shown = new AbortController();

async function show() {
  shown.abort();
  shown = new AbortController();
  showMood("over");
  const place = address.read(location.hash);
  if (place) await new Table(api, place, main, shown.signal).open();
  else await setUp(api, main);
}

// The fragment belongs to the game, so that this link must not change it.
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", show);
show();

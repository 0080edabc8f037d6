// The frame of the page: its language, and whether it is connected.

import { h } from "./dom.js";
import { LANGUAGES, language, speak, t } from "./texts.js";

/** Buttons for the other languages. */
export function languageButtons() {
  const others = /** @type {import("./texts.js").Language[]} */ (Object.keys(LANGUAGES)).filter(
    (each) => each !== language(),
  );
  return others.map((each) =>
    h("button", { class: "language", lang: each, onclick: () => speak(each) }, LANGUAGES[each]),
  );
}

/** @returns {Record<import("./connection.js").ConnectionState, string>} */
const stateLabels = () => ({
  live: t("live"),
  reconnecting: t("reconnecting…"),
  offline: t("offline, trying again…"),
  over: "",
});

/** Show whether the page gets updates. @param {import("./connection.js").ConnectionState} state */
export function showConnection(state) {
  const place = /** @type {HTMLElement} */ (document.getElementById("connection"));
  if (place.dataset.state !== state) place.dataset.state = state;
  if (place.textContent !== stateLabels()[state]) place.textContent = stateLabels()[state];
}

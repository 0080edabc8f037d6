// The frame of the page: its language, and whether it is connected.

import { h } from "./dom.js";
import { LANGUAGES } from "./languages.js";
import { language, speak, t } from "./texts.js";

/** Buttons for the other languages. */
export function languageButtons() {
  const others = Object.entries(LANGUAGES).filter(([code]) => code !== language());
  return others.map(([code, name]) => h("button", { class: "language", lang: code, onclick: () => speak(code) }, name));
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

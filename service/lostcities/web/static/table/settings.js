// The frame of the page: its language, and whether it is connected.

import { language, switches, speak, t } from "./texts.js";

/** Show the buttons for the other languages. */
export function showLanguages() {
  for (const button of switches()) {
    button.hidden = button.lang === language();
    button.addEventListener("click", () => speak(button.lang));
  }
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

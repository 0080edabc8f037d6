// The frame of the page: what a person can choose about it, and whether it is connected.

import { h } from "./dom.js";
import { prefer, preference } from "./memory.js";
import { SPEED, SPEEDS } from "./motion.js";
import { LANGUAGES, language, speak, t } from "./texts.js";

/** The names of the speeds. @returns {Record<string, string>} */
const speedNames = () => ({ slow: t("slow"), normal: t("normal"), fast: t("fast"), off: t("no movement") });

/** How fast the moves of others are shown. */
export function speedSetting() {
  const chosen = preference("speed") ?? SPEED;
  const names = speedNames();
  const select = h(
    "select",
    { onchange: () => prefer("speed", select.value) },
    ...Object.keys(SPEEDS).map((speed) => h("option", { value: speed, selected: speed === chosen }, names[speed])),
  );
  return h("label", { class: "option" }, h("span", {}, t("Moves of the others")), select);
}

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

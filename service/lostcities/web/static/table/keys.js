// Shortcuts: a key presses the drawn element that has it in `data-hot`. Each can be listed and all can be disabled.

import { h, showDialog } from "./dom.js";
import { prefer, preference } from "./memory.js";
import { t } from "./texts.js";

const TYPING = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog";

export const areEnabled = () => preference("shortcuts") !== "off";

/**
 * @param {() => boolean} cancel Takes a choice back.
 * @param {() => Promise<void> | null} making The move that is being made. Keys that are pressed meanwhile are about what
 *   comes after it.
 * @param {AbortSignal} signal
 */
export function listenToKeys(cancel, making, signal) {
  document.addEventListener(
    "keydown",
    (event) => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (target instanceof Element && target.matches(TYPING)) return;
      if (key === "Escape" && cancel()) return;
      if (!areEnabled() || event.repeat) return;
      const moving = making();
      if (moving) moving.finally(() => document.dispatchEvent(new KeyboardEvent("keydown", { key })));
      else if (press(key)) event.preventDefault();
    },
    { signal },
  );
}

/** @param {string} key @returns {boolean} Whether it is a shortcut now. */
function press(key) {
  const wanted = `[data-hot="${CSS.escape(key.toLowerCase())}"]`;
  const element = document.querySelector(`.choices ${wanted}`) ?? document.querySelector(wanted);
  if (!(element instanceof HTMLElement)) return false;
  element.focus({ preventScroll: true });
  element.click();
  return true;
}

/** Show the shortcuts that work now. */
export function showKeys() {
  const all = [...document.querySelectorAll("[data-hot]")].map((each) => [
    /** @type {HTMLElement} */ (each).dataset.hot ?? "",
    each.getAttribute("aria-label") ?? each.textContent ?? "",
  ]);
  const rows = [...all, ["Esc", t("Take a choice back")]];
  const enabled = h("input", {
    type: "checkbox",
    checked: areEnabled(),
    onchange: () => prefer("shortcuts", enabled.checked ? "on" : "off"),
  });
  const close = h("button", { class: "button quiet", onclick: () => dialog.close() }, t("Close"));
  const dialog = h(
    "dialog",
    { class: "rules", "aria-labelledby": "keys-title" },
    h("header", {}, h("h2", { id: "keys-title" }, t("Keyboard")), close),
    h(
      "dl",
      { class: "keys" },
      ...rows.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key.toUpperCase())), h("dd", {}, text)]),
    ),
    h("p", {}, t("Tab and Enter reach everything too.")),
    h("label", { class: "check" }, enabled, t("Use these keys")),
  );
  return showDialog(dialog);
}

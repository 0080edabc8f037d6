// The rules of a game in a dialog: its module's explanation, then the rulings of the API.

import { h, showDialog } from "./dom.js";
import { load } from "./games/index.js";
import { t } from "./texts.js";
import { ended } from "./words.js";

/** @typedef {import("./types.js").About} About */
/** @typedef {string | string[] | Node} Block A paragraph, a list, or an element. */
/** @typedef {[title: string, ...blocks: (Block | false)[]]} Section */

/** A button that shows the rules. @param {() => {about: About, options: any}} subject The game and its options. */
export const rulesButton = (subject) =>
  h(
    "button",
    { class: "button", type: "button", "data-key": "rules", onclick: () => show(subject()) },
    t("Rules"),
  );

/** @param {{about: About, options: any}} subject */
async function show({ about, options }) {
  const { rules = described } = await load(about.variant);
  const close = h("button", { class: "button quiet", onclick: () => dialog.close() }, t("Close"));
  const dialog = h(
    "dialog",
    { class: "rules", "aria-labelledby": "rules-title" },
    h("header", {}, h("h2", { id: "rules-title" }, about.title), close),
    ...rules(about, options).map(([title, ...blocks]) => h("section", {}, h("h3", {}, title), ...blocks.map(block))),
    h(
      "details",
      { class: "panel" },
      h("summary", {}, t("Every ruling in detail")),
      block(about.rulings.map(({ text }) => text)),
    ),
  );
  await showDialog(dialog);
}

/** @param {Block | false} content */
function block(content) {
  if (Array.isArray(content)) return h("ul", {}, ...content.map((item) => h("li", {}, item)));
  return typeof content === "string" ? h("p", {}, content) : content;
}

/** The sections of a game without an explanation. @param {About} about @returns {Section[]} */
function described({ seats: { min, max }, moves, endings }) {
  const own = moves.filter(({ by }) => by === "seat").map(({ notation, text }) => ended(`${notation}: ${text}`));
  return [
    [t("Players"), min === max ? t("{min} players.", { min }) : t("{min} to {max} players.", { min, max })],
    [t("What you can do"), own],
    [t("The game ends when"), endings.map(({ text }) => ended(text))],
  ];
}

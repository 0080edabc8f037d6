// Shows why something was not done, in an alert region, which screen readers announce.

import { Problem } from "./api.js";
import { h } from "./dom.js";
import { t } from "./texts.js";
import { ended } from "./words.js";

const place = /** @type {HTMLElement} */ (document.getElementById("refusals"));
/** Milliseconds for which an explanation is shown. A refusal is shown until it is closed. */
const READING = 6000;
let hiding = 0;

/** Show an error. @param {unknown} error */
export function refuse(error) {
  const problem = error instanceof Problem ? error : null;
  if (!problem) console.error(error);
  const parts = problem?.parts.map(({ pointer, detail }) => h("li", {}, h("code", {}, pointer), ` ${detail}`)) ?? [];
  show(
    h("p", {}, problem ? ended(problem.message) : t("The service does not answer. Try again in a moment.")),
    parts.length > 0 && h("ul", {}, ...parts),
    problem?.code &&
      h("p", { class: "rule" }, problem.rule ? t("Rule:") : t("Reason:"), " ", h("code", {}, problem.rule ?? problem.code)),
  );
}

/** Show a sentence for some seconds: why a tap did nothing. @param {string} text @param {string} [rule] */
export function explain(text, rule) {
  show(h("p", {}, ended(text)), rule && h("p", { class: "rule" }, t("Rule:"), " ", h("code", {}, rule)));
  hiding = setTimeout(dismiss, READING);
}

/** @param {...import("./dom.js").Child} content */
function show(...content) {
  clearTimeout(hiding);
  place.replaceChildren(
    h("div", { class: "refusal" }, ...content, h("button", { class: "button quiet", onclick: dismiss }, t("Close"))),
  );
}

/** Remove what is shown. */
export function dismiss() {
  clearTimeout(hiding);
  place.replaceChildren();
}

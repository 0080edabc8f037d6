// Shows errors in an alert region, which screen readers announce.

import { Problem } from "./api.js";
import { h } from "./dom.js";

const place = /** @type {HTMLElement} */ (document.getElementById("refusals"));

/** @param {unknown} error */
export function refuse(error) {
  const problem = error instanceof Problem ? error : null;
  if (!problem) console.error(error);
  const parts = problem?.parts.map(({ pointer, detail }) => h("li", {}, h("code", {}, pointer), ` ${detail}`)) ?? [];
  place.replaceChildren(
    h(
      "div",
      { class: "refusal" },
      h("p", {}, problem ? problem.message : "The service does not answer. Try again in a moment."),
      parts.length > 0 && h("ul", {}, ...parts),
      problem &&
        h("p", { class: "rule" }, problem.rule ? "Rule: " : "Reason: ", h("code", {}, problem.rule ?? problem.code)),
      h("button", { class: "button quiet", onclick: dismiss }, "Close"),
    ),
  );
}

/** Remove the error. */
export function dismiss() {
  place.replaceChildren();
}

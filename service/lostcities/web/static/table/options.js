// A form field for an option. Name and default come from the variant, the type from the contract.

import { h } from "./dom.js";
import { ended, sentence } from "./words.js";

/**
 * @param {{name: string, default: any, text: string}} option
 * @param {any} schema The JSON Schema of its value.
 * @returns {{name: string, element: HTMLElement, read: () => [any] | null}} `read` returns `null` for the default.
 */
export function field(option, schema) {
  const { input, value } = control(option.default, schema);
  const read = () => {
    const chosen = value();
    return JSON.stringify(chosen) === JSON.stringify(option.default) ? null : /** @type {[any]} */ ([chosen]);
  };
  const title = sentence(option.name.replaceAll("_", " "));
  const element = h("label", { class: "option" }, h("span", {}, title), input, h("small", {}, ended(option.text)));
  return { name: option.name, element, read };
}

/** @param {any} initial @param {any} schema @returns {{input: HTMLElement, value: () => any}} */
function control(initial, schema = {}) {
  const types = [schema.type].flat();
  if (schema.enum) {
    const input = h(
      "select",
      {},
      ...schema.enum.map((/** @type {string} */ each) => h("option", { selected: each === initial }, each)),
    );
    return { input, value: () => input.value };
  }
  if (types.includes("boolean")) {
    const input = h("input", { type: "checkbox", checked: initial });
    return { input, value: () => input.checked };
  }
  if (types.includes("integer")) {
    const required = !types.includes("null");
    const input = h("input", { type: "number", min: schema.minimum, max: schema.maximum, value: initial, required });
    return { input, value: () => (input.value === "" ? null : Number(input.value)) };
  }
  const input = h("textarea", { rows: 2, spellcheck: "false" }, JSON.stringify(initial));
  input.addEventListener("input", () => input.setCustomValidity(isJson(input.value) ? "" : "This is not valid JSON."));
  return { input, value: () => JSON.parse(input.value) };
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

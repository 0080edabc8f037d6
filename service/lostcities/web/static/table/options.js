// A form field for an option. Name and default come from the variant, the words from the game's module.

import { h } from "./dom.js";
import { t } from "./texts.js";
import { ended, sentence } from "./words.js";

/**
 * An option in words.
 * @typedef {object} OptionText
 * @property {string} label
 * @property {string} text
 * @property {Record<string, string>} [choices] The values that can be chosen, and their names.
 * @property {number} [min] Of a number.
 * @property {number} [max] Of a number.
 * @property {boolean} [isOpen] Whether the number can be left out: there is no limit then.
 */

/**
 * @param {{name: string, default: any, text: string}} option
 * @param {OptionText} [words] Without them the field follows from the default.
 * @returns {{name: string, element: HTMLElement, read: () => [any] | null}} `read` returns `null` for the default.
 */
export function field(option, words) {
  const { input, value } = control(option.default, words ?? {});
  const read = () => {
    const chosen = value();
    return JSON.stringify(chosen) === JSON.stringify(option.default) ? null : /** @type {[any]} */ ([chosen]);
  };
  const title = words?.label ?? sentence(option.name.replaceAll("_", " "));
  const text = h("small", {}, ended(words?.text ?? option.text));
  const element = h("label", { class: "option" }, h("span", {}, title), input, text);
  return { name: option.name, element, read };
}

/** @param {any} initial @param {Partial<OptionText>} words @returns {{input: HTMLElement, value: () => any}} */
function control(initial, { choices, min, max, isOpen }) {
  if (choices) {
    const options = Object.entries(choices).map(([value, name]) =>
      h("option", { value, selected: value === String(initial) }, name),
    );
    const input = h("select", {}, ...options);
    const isNumber = typeof initial === "number";
    return { input, value: () => (isNumber ? Number(input.value) : input.value) };
  }
  if (typeof initial === "boolean") {
    const input = h("input", { type: "checkbox", checked: initial });
    return { input, value: () => input.checked };
  }
  if (typeof initial === "number" || initial === null) {
    const placeholder = isOpen ? t("no limit") : null;
    const input = h("input", { type: "number", min, max, value: initial, required: initial !== null, placeholder });
    return { input, value: () => (input.value === "" ? null : Number(input.value)) };
  }
  if (typeof initial === "string") {
    const input = h("input", { value: initial, required: true });
    return { input, value: () => input.value };
  }
  const input = h("textarea", { rows: 2, spellcheck: "false" }, JSON.stringify(initial));
  const check = () => input.setCustomValidity(isJson(input.value) ? "" : t("This is not valid JSON."));
  input.addEventListener("input", check);
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

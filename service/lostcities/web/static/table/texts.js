// The sentences that the page makes, in the language of the reader. The keys are the English sentences.
//
// The service makes the modules in `texts/` and the buttons for the languages from its catalogues of translations.

import { preference, prefer } from "./memory.js";

/** @type {Record<string, string>} */
let catalogue = {};

/** The buttons of the page's languages. @returns {NodeListOf<HTMLButtonElement>} */
export const switches = () => document.querySelectorAll("button.language");

/** The language that was chosen, or else the first of the browser's languages that the page has. */
export function language() {
  const languages = [...switches()].map((button) => button.lang);
  const wanted = [preference("language"), ...navigator.languages].map((each) => (each ?? "").slice(0, 2).toLowerCase());
  return wanted.find((each) => languages.includes(each)) ?? "en";
}

/** Load the sentences of the language. Call it before the first sentence is made. */
export async function loadTexts() {
  const chosen = language();
  document.documentElement.lang = chosen;
  if (chosen !== "en") catalogue = (await import(`./texts/${chosen}.js`)).default;
}

/** Remember a language and show the page in it. @param {string} chosen */
export function speak(chosen) {
  prefer("language", chosen);
  location.reload();
}

/**
 * A sentence in the language of the reader.
 * @param {string} text The English sentence, with names in braces. Always a literal: a test looks for its translations.
 * @param {Record<string, string | number>} [values] What stands for the names.
 */
export function t(text, values = {}) {
  return (catalogue[text] ?? text).replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

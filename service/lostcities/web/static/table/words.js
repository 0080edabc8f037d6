// Converts notations to readable text, with the colour names from the API.

/** @typedef {import("./types.js").About} About */

/**
 * `play R7` as "play red 7", `reroll 1 w` as "reroll 1 wager", `draw ?` as "draw a hidden card".
 * @param {string} notation
 * @param {About} about
 */
export function spell(notation, about) {
  const tokens = notation.split(" ");
  const seen = tokens.filter((token) => token !== "?").map((token) => spellToken(token, about));
  const hidden = tokens.length - seen.length;
  return [...seen, ...(hidden ? [hidden === 1 ? "a hidden card" : `${hidden} hidden cards`] : [])].join(" ");
}

/** @param {string} token @param {About} about */
function spellToken(token, about) {
  if (token === "w") return "wager";
  if (about.components.bonuses?.[token]) return token.replaceAll("-", " ");
  const [, letter, rank, side] = /^([A-Z])(\d*)(w?)$/.exec(token) ?? [];
  const colour = about.components.colours?.[letter];
  if (!colour) return token;
  return [colour, rank, side && "wager"].filter(Boolean).join(" ");
}

/** Points with minus signs (U+2212). @param {number | string} points */
export const signed = (points) => String(points).replaceAll("-", "−");

/** "1 coin", "2 coins". @param {number} number @param {string} one @param {string} [several] */
export const count = (number, one, several = `${one}s`) => `${number} ${number === 1 ? one : several}`;

/** @param {string} text */
export const uncapitalised = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** A sentence with its full stop. @param {string} text */
export const ended = (text) => sentence(text.endsWith(".") ? text : `${text}.`);

/** @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** "Ann", "Ann and Ben", "Ann, Ben and Cem". @param {string[]} names @param {string} [last] Between the last two. */
export function list(names, last = "and") {
  return names.length < 2 ? (names[0] ?? "nobody") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}

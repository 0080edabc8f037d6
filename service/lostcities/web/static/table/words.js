// Converts notations to readable text, with the names of colours from the API.

import { t } from "./texts.js";

/** @typedef {import("./types.js").About} About */

/**
 * `R7` as "red 7", `Rw` as "red wager", `R6w` as "red 6 wager side", `w` as "a wager", `play R7` as "play red 7", `?` as "a hidden card".
 * @param {string} notation
 * @param {About} about
 */
export function spell(notation, about) {
  const tokens = notation.split(" ");
  const seen = tokens.filter((token) => token !== "?").map((token) => spellToken(token, about));
  const hidden = tokens.length - seen.length;
  return [...seen, ...(hidden ? [hiddenCards(hidden)] : [])].join(" ");
}

/** @param {number} count */
const hiddenCards = (count) => (count === 1 ? t("a hidden card") : t("{count} hidden cards", { count }));

/** Cards, tiles or dice as a list: "red 7, white 9 and a hidden card". @param {string[]} names @param {About} about */
export function spellAll(names, about) {
  const open = names.filter((name) => name !== "?").map((name) => spell(name, about));
  const hidden = names.length - open.length;
  return list([...open, ...(hidden ? [hiddenCards(hidden)] : [])]);
}

/** @param {string} token @param {About} about */
function spellToken(token, about) {
  if (token === "w") return t("a wager");
  if (about.labels.bonuses?.[token]) return about.labels.bonuses[token];
  const [, letter, rank, side] = /^([A-Z])(\d*)(w?)$/.exec(token) ?? [];
  const colour = about.labels.colours?.[letter];
  if (!colour) return token;
  if (!rank) return side ? t("{colour} wager", { colour }) : colour;
  return side ? t("{colour} {number} wager side", { colour, number: rank }) : `${colour} ${rank}`;
}

/** What a line of a score is about, in words. @param {string} item @param {About} about */
export const itemName = (item, about) => about.labels.score_items[item] ?? item;

/** Points with minus signs (U+2212). @param {number | string} points */
export const signed = (points) => String(points).replaceAll("-", "−");

/** Points with one digit after the point, or a comma in the language of the page. @param {number} points */
export const rounded = (points) => points.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });

/** "1 point", "−3 points". @param {number} points */
export const inPoints = (points) =>
  points === 1 ? t("1 point") : t("{points} points", { points: signed(points) });

/** @param {string} text */
export const uncapitalised = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** A sentence with its full stop. @param {string} text */
export const ended = (text) => sentence(/[.!?]$/.test(text) ? text : `${text}.`);

/** @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** "Ann", "Ann and Ben", "Ann, Ben and Cem". @param {string[]} names */
export function list(names) {
  if (names.length < 2) return names[0] ?? t("nobody");
  return t("{first} and {last}", { first: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
}

/** "3", "3 or 5", "3, 5 or 8". @param {string[]} names */
export function alternatives(names) {
  if (names.length < 2) return names[0] ?? "";
  return t("{first} or {last}", { first: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
}

/**
 * A sentence about a seat: to the viewer as "you", or to others with the seat's name.
 * @param {import("./types.js").Scene} scene
 * @param {number | string} seat
 * @param {string} toYou
 * @param {string} toOthers
 */
export const said = ({ you }, seat, toYou, toOthers) => (seat === you ? toYou : toOthers);

/** A time that is left: "0:45", "1:05:00", "2 d 3 h". @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return t("{days} d {hours} h", { days, hours });
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

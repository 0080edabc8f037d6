// The picture of each game on the first screen, which the module of the game draws. A game without one has a star.

import { h } from "./dom.js";
import { load } from "./games/index.js";
import { icon } from "./pieces.js";

/** @param {string} variant */
export function cover(variant) {
  const picture = h("span", { class: "cover", "aria-hidden": "true" });
  load(variant).then((module) => picture.replaceChildren(...(module.cover?.() ?? [icon("star")])));
  return picture;
}

// The picture of each game on the first screen. A game that is not here has a star.

import { h } from "./dom.js";
import { card, coin, colourDie, digitDie, icon, pips, tile } from "./pieces.js";

/** @type {Record<string, () => Node[]>} */
const COVERS = {
  duel: () => [card("Rw", ""), card("R4", ""), card("R7", ""), card("B9", "")],
  rivals: () => [card("G3", "", { footprints: 1 }), card("Y8", "", { footprints: 2 }), coin(7), coin(2)],
  "roll-and-write": () => [colourDie("R", ""), colourDie("B", ""), digitDie(4), digitDie(7)],
  "treasure-hunt": () => [pips("3"), pips("w"), tile("P6", "", { footprints: 2 }), tile("G5", "", { footprints: 1 })],
};

/** @param {string} variant */
export const cover = (variant) =>
  h("span", { class: "cover", "aria-hidden": "true" }, ...(COVERS[variant]?.() ?? [icon("star")]));

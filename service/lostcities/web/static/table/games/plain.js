// The drawing of a variant without its own module: the position as JSON, and the players.

import { h } from "../dom.js";
import { nameplate } from "../pieces.js";

/** @param {import("../types.js").Scene} scene @returns {Node[]} */
export function draw(scene) {
  return [
    ...scene.game.players.map((_, seat) => nameplate(scene, seat)),
    h(
      "pre",
      { class: "plain", tabindex: "0", "aria-label": "The position" },
      JSON.stringify(scene.game.position, null, 2),
    ),
  ];
}

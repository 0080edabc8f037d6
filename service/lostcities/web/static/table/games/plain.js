// The drawing of a variant without its own module: the position as JSON, and the players.

import { h } from "../dom.js";
import { nameplate } from "../pieces.js";
import { t } from "../texts.js";

/** @param {import("../types.js").Scene} scene @returns {import("../types.js").Drawing} */
export function draw(scene) {
  const position = h(
    "pre",
    { class: "plain", tabindex: "0", "aria-label": t("The position") },
    JSON.stringify(scene.game.position, null, 2),
  );
  return { board: [...scene.game.players.map((_, seat) => nameplate(scene, seat)), position], dock: [] };
}

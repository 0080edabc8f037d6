// The drawings, one module for each game. A game without one is played from the list of its moves.

import { draw as duel } from "./duel.js";
import { draw as rivals } from "./rivals.js";
import { draw as rollAndWrite } from "./roll-and-write.js";
import { draw as treasureHunt } from "./treasure-hunt.js";
import { draw as plain } from "./plain.js";

/** @type {Record<string, (scene: import("../types.js").Scene) => Node[]>} */
const DRAWINGS = { duel, rivals, "roll-and-write": rollAndWrite, "treasure-hunt": treasureHunt };

/** @param {string} variant */
export const drawing = (variant) => DRAWINGS[variant] ?? plain;

// Moves cards, tiles and dice to their new places when the board is drawn again.
//
// The board is final at once, and only looks as if its pieces were still on their way: a press is never lost. The
// browser's View Transitions take no presses on an element while it moves, so they are not used here.

import { h } from "./dom.js";
import { prefer, preference } from "./memory.js";
import { t } from "./texts.js";

/** Milliseconds that a piece takes. */
const DURATION = 320;
/** Milliseconds between the moves of other seats, by the name of the speed. @type {Record<string, number>} */
const SPEEDS = { slow: 1200, normal: 600, fast: 250, off: 0 };
const SPEED = "normal";
/** Pixels that are no movement. */
const STILL = 2;

/** Milliseconds between two moves, or `null` without movement. */
function pace() {
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  return SPEEDS[preference("speed") ?? SPEED] || null;
}

/**
 * Draw, and let the pieces that changed their place move there, in the order of the events.
 * @param {HTMLElement} root Contains the pieces: elements with `data-piece`.
 * @param {() => void} draw
 * @param {import("./types.js").HistoryEvent[]} events What happened since the last drawing.
 * @param {number | null} me The events of this seat are shown without delay.
 */
export function moving(root, draw, events, me) {
  const step = pace();
  if (step === null || events.length === 0 || !root.animate) return draw();
  const before = measured(root);
  const homes = new Map([...root.querySelectorAll("[data-home]")].map((each) => [homeOf(each), middle(each)]));
  draw();
  const { delays, origins } = schedule(events, me, step);
  for (const [piece, places] of measured(root)) {
    const known = before.get(piece) ?? [];
    // Equal pieces: those that stay are not taken for those that come.
    const here = (/** @type {Place} */ a) => known.findIndex((b) => Math.hypot(a.x - b.x, a.y - b.y) <= STILL);
    const come = places.filter((place) => here(place) < 0);
    const gone = known.filter((old) => !places.some((place) => Math.hypot(old.x - place.x, old.y - place.y) <= STILL));
    come.forEach((place, index) => {
      const from = gone[index] ?? homes.get(origins.get(piece) ?? "");
      animate(place, from, delays.get(piece) ?? 0);
    });
  }
}

/** @typedef {{node: Element, x: number, y: number}} Place The middle of a piece. */

/** @param {HTMLElement} root */
function measured(root) {
  /** @type {Map<string, Place[]>} */
  const places = new Map();
  for (const node of root.querySelectorAll("[data-piece]")) {
    const piece = /** @type {HTMLElement} */ (node).dataset.piece ?? "";
    places.set(piece, [...(places.get(piece) ?? []), middle(node)]);
  }
  return places;
}

/** @param {Element} node @returns {Place} */
function middle(node) {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { node, x: x + width / 2, y: y + height / 2 };
}

/** @param {Element} element */
const homeOf = (element) => /** @type {HTMLElement} */ (element).dataset.home ?? "";

/**
 * When each piece begins to move, and where a piece that was hidden comes from.
 * @param {import("./types.js").HistoryEvent[]} events
 * @param {number | null} me
 * @param {number} step
 */
function schedule(events, me, step) {
  /** @type {Map<string, number>} */
  const delays = new Map();
  /** @type {Map<string, string>} */
  const origins = new Map();
  let delay = 0;
  events.forEach(({ actor, notation }, index) => {
    // Chance follows at once on the move that asked for it.
    if (index > 0 && actor !== "chance" && actor !== me) delay += step;
    for (const piece of notation.split(" ").slice(1)) {
      delays.set(piece, delay);
      origins.set(piece, actor === "chance" ? "supply" : `seat ${actor}`);
    }
  });
  return { delays, origins };
}

/** @param {Place} place @param {Place | undefined} from @param {number} delay */
function animate({ node, x, y }, from, delay) {
  const start = from
    ? { translate: `${from.x - x}px ${from.y - y}px`, zIndex: 5 }
    : { opacity: 0, rotate: "-90deg", zIndex: 5 };
  const end = from ? { translate: "0 0", zIndex: 5 } : { opacity: 1, rotate: "0deg", zIndex: 5 };
  node.animate([start, end], { duration: DURATION, delay, easing: "ease-out", fill: "backwards" });
}

/** The names of the speeds. @returns {Record<string, string>} */
const speedNames = () => ({ slow: t("slow"), normal: t("normal"), fast: t("fast"), off: t("no movement") });

/** How fast the moves of others are shown. */
export function speedSetting() {
  const chosen = preference("speed") ?? SPEED;
  const names = speedNames();
  const select = h(
    "select",
    { onchange: () => prefer("speed", select.value) },
    ...Object.keys(SPEEDS).map((speed) => h("option", { value: speed, selected: speed === chosen }, names[speed])),
  );
  return h("label", { class: "option" }, h("span", {}, t("Moves of the others")), select);
}

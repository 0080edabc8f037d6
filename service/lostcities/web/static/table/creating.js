// Creates a game and shows it.

import { hosting } from "./address.js";
import { remember } from "./memory.js";
import { dismiss } from "./refusals.js";
import { sentence } from "./words.js";

/** @typedef {import("./types.js").About} About */
/** @typedef {import("./types.js").Chair} Chair */

export const NAMES = ["Ann", "Ben", "Cem", "Dia", "Eve"];
/** The level that a seat has at first. */
const OPPONENT = "greedy";

/** @param {About} about */
export const opponent = ({ bots }) => (bots.includes(OPPONENT) ? OPPONENT : bots[0]);

/** @param {{title: string}} about */
export const shortTitle = ({ title }) => sentence(title.replace("Lost Cities: ", ""));

/**
 * @param {import("./api.js").Api} api
 * @param {About} about
 * @param {(string | {name: string, bot: string})[]} players
 * @param {(Chair["kind"] | null)[]} kinds How each seat is played; `null` by a bot.
 * @param {{wishes?: object, key?: string}} [more] `key`: the API key.
 */
export async function create(api, { variant, title }, players, kinds, { wishes, key } = {}) {
  const { id, tokens } = await api.post("games", { variant, players, ...wishes }, { token: key });
  /** @type {Chair[]} */
  const chairs = kinds.map((kind, seat) => (kind ? { kind, token: tokens.seats[seat] } : { kind: "bot" }));
  const names = players.map((player) => (typeof player === "string" ? player : player.name));
  remember({ id, variant, title, players: names, chairs, host: tokens.host });
  dismiss();
  location.hash = hosting(id);
}

/** Play with the fewest seats against bots. @param {import("./api.js").Api} api @param {string} variant */
export async function playBots(api, variant) {
  const about = await api.about(variant);
  const names = NAMES.slice(0, about.seats.min);
  const players = names.map((name, seat) => (seat === 0 ? name : { name, bot: opponent(about) }));
  await create(api, about, players, names.map((_, seat) => (seat === 0 ? "here" : null)));
}

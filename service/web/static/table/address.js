// Where the page is: everything is in the fragment, which browsers never send to anybody.

/**
 * @typedef {object} Place
 * @property {string} game
 * @property {number} [seat] With a token: the page plays for that seat.
 * @property {string} [token]
 * @property {boolean} host Whether this browser has set the table up and remembers the rest.
 */

/** @param {string} fragment @returns {Place | null} `null`: no game, so the page offers to set one up. */
export function read(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const game = parts.get("game");
  if (!game) return null;
  const [seat, token] = [parts.get("seat"), parts.get("token")];
  if (seat && token) return { game, seat: Number(seat), token, host: false };
  return { game, host: parts.has("host") };
}

/** @param {string} game */
export const hosting = (game) => `#${new URLSearchParams({ game, host: "" })}`;

/** The link of a player. @param {string} game @param {number} seat @param {string} token */
export const playing = (game, seat, token) => absolute({ game, seat: String(seat), token });

/** The link of a spectator. @param {string} game */
export const watching = (game) => absolute({ game });

/** @param {Record<string, string>} parts */
const absolute = (parts) => `${location.origin}${location.pathname}#${new URLSearchParams(parts)}`;

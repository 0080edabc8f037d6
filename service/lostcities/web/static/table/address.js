// The state in the page's address. It is in the fragment, which browsers do not send to any server.

/**
 * @typedef {object} Place
 * @property {string} game
 * @property {number} [seat] The seat that this page plays. Needs `token`.
 * @property {string} [token]
 * @property {boolean} host Whether this browser created the game and stores its tokens.
 */

/** @param {string} fragment @returns {Place | null} `null` if no game is named. */
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

/** The link for a player. @param {string} game @param {number} seat @param {string} token */
export const playing = (game, seat, token) => absolute({ game, seat: String(seat), token });

/** The link for a spectator. @param {string} game */
export const watching = (game) => absolute({ game });

/** @param {Record<string, string>} parts */
const absolute = (parts) => `${location.origin}${location.pathname}#${new URLSearchParams(parts)}`;

// The first screen: the games, each one tap away from playing against a bot. The form for anything else is loaded when
// it is unfolded.

import { hosting } from "./address.js";
import { cover } from "./covers.js";
import { playBots, shortTitle } from "./creating.js";
import { h } from "./dom.js";
import { tables } from "./memory.js";
import { refuse } from "./refusals.js";
import { t } from "./texts.js";
import { list } from "./words.js";

/** @typedef {Pick<import("./types.js").About, "variant" | "title" | "seats">} Summary */

/** @param {import("./api.js").Api} api @param {HTMLElement} main */
export async function setUp(api, main) {
  document.title = t("Lost Cities: the table");
  const games = h("ul", { class: "games" });
  const content = h("div", {});
  const fold = h("details", { class: "panel fold" }, h("summary", {}, t("Other players, options, a saved game")), content);
  main.className = "setup";
  delete main.dataset.version;
  main.replaceChildren(h("h1", {}, t("Which journey do you begin?")), games, fold, ...earlier(), service());
  try {
    /** @type {{variants: Summary[]}} */
    const { variants } = await api.get("variants");
    games.replaceChildren(...variants.map((each) => gameCard(api, each)));
    const unfold = async () => {
      if (content.hasChildNodes()) return;
      const { form } = await import("./form.js");
      content.replaceChildren(...form(api, variants));
    };
    fold.addEventListener("toggle", () => unfold().catch(refuse));
    // A visitor may have unfolded it before the variants were there.
    if (fold.open) await unfold();
  } catch (error) {
    refuse(error);
  }
}

/** @param {import("./api.js").Api} api @param {Summary} about */
function gameCard(api, about) {
  const { variant, seats: { min, max } } = about;
  const range = min === max ? t("{min} players", { min }) : t("{min} to {max} players", { min, max });
  const title = shortTitle(about);
  const start = () => {
    button.disabled = true;
    playBots(api, variant).catch((error) => {
      button.disabled = false;
      refuse(error);
    });
  };
  // What a tap needs is asked for when a pointer or the focus arrives.
  const prepare = () => void api.about(variant).catch(() => {});
  const button = h(
    "button",
    {
      class: "game",
      type: "button",
      "aria-label": t("Play {game} against the bot", { game: title }),
      onclick: start,
      onpointerenter: prepare,
      onfocus: prepare,
    },
    cover(variant),
    h("b", {}, title),
    h("small", {}, range),
    h("span", { class: "go" }, t("Play against the bot")),
  );
  return h("li", {}, button);
}

const service = () =>
  h(
    "p",
    { class: "service" },
    t("The service checks every move, and this page uses only its public interface:"),
    " ",
    h("a", { href: "docs" }, t("The API")),
  );

/** The games that were created in this browser. */
function earlier() {
  const links = tables().map(({ id, title, players }) =>
    h("li", {}, h("a", { href: hosting(id) }, `${list(players)}: ${title}`)),
  );
  if (links.length === 0) return [];
  return [h("section", { class: "earlier" }, h("h2", {}, t("Games of this browser")), h("ul", {}, ...links))];
}

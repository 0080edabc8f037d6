// Plays a game of each variant through openapi-fetch, with the types that openapi-typescript made from the
// contract.

import createClient from "openapi-fetch";

import { chooser, isSeat, newGame } from "./games";
import type { components, paths } from "./generated/openapi-typescript";

type NewGame = components["schemas"]["NewGame"];

const api = createClient<paths>({ baseUrl: process.argv[2] });

// What has a default can be left out.
const smallest: NewGame = { variant: "duel", players: ["Ann", { name: "Ben", bot: "greedy" }], options: {} };

/** What was asked for, or the problem as an error. */
function good<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function play(wish: NewGame, variant: string): Promise<string> {
  const choose = chooser(11);
  const created = good(await api.POST("/games", { body: wish }));
  const params = { path: { game_id: created.id } };
  let { to_act, version } = created;
  while (to_act.length > 0) {
    const seat = choose(to_act.filter(isSeat));
    const headers = { Authorization: `Bearer ${created.tokens.seats[seat]}` };
    const legal = good(await api.GET("/games/{game_id}/moves", { params, headers }));
    const body = choose<(typeof legal.moves)[number]>(legal.moves);
    const judged = good(await api.POST("/games/{game_id}/check", { params, headers, body }));
    if (!judged.legal) throw new Error(judged.problem?.detail);
    const query = { include: ["moves" as const, "score" as const] };
    const acted = good(
      await api.POST("/games/{game_id}/moves", { params: { ...params, query }, headers, body }),
    );
    if (!acted.game.score) throw new Error("nothing included");
    ({ to_act, version } = acted.game);
  }
  const score = good(await api.GET("/games/{game_id}/score", { params }));
  const fairness = good(await api.GET("/games/{game_id}/fairness", { params }));
  if (!score.final || !fairness.seed) throw new Error("not over");
  return `${variant}: finished after ${version} events, winners ${score.winners}`;
}

async function main(): Promise<void> {
  const { variants } = good(await api.GET("/variants"));
  good(await api.POST("/games", { body: smallest }));
  for (const { variant } of variants) {
    const about = good(await api.GET("/variants/{variant}", { params: { path: { variant } } }));
    console.log(await play(newGame(about) as NewGame, variant));
  }
}

void main();

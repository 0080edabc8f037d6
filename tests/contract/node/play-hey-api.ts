// Plays a game of each variant through the client that @hey-api/openapi-ts made from the contract.

import { chooser, isSeat, newGame } from "./games";
import { client } from "./generated/hey-api/client.gen";
import {
  checkMoves,
  createGame,
  getFairness,
  getScore,
  getVariant,
  listMoves,
  listVariants,
  makeMoves,
} from "./generated/hey-api/sdk.gen";
import type { NewGame } from "./generated/hey-api/types.gen";

// What has a default can be left out.
const smallest: NewGame = { variant: "duel", players: ["Ann", { name: "Ben", bot: "greedy" }], options: {} };

async function play(wish: NewGame, variant: string): Promise<string> {
  const choose = chooser(7);
  const { data: created } = await createGame({ body: wish, throwOnError: true });
  const path = { game_id: created.id };
  const auth = (seat: number) => created.tokens.seats[seat] ?? undefined;
  let { to_act, version } = created;
  while (to_act.length > 0) {
    const seat = choose(to_act.filter(isSeat));
    const { data: legal } = await listMoves({ path, auth: auth(seat), throwOnError: true });
    const move = choose<(typeof legal.moves)[number]>(legal.moves);
    const { data: judged } = await checkMoves({ path, body: move, auth: auth(seat), throwOnError: true });
    if (!judged.legal) throw new Error(judged.problem?.detail);
    const query = { include: ["moves" as const, "score" as const] };
    const { data: acted } = await makeMoves({ path, query, body: move, auth: auth(seat), throwOnError: true });
    if (!acted.game.score) throw new Error("nothing included");
    ({ to_act, version } = acted.game);
  }
  const { data: score } = await getScore({ path, throwOnError: true });
  const { data: fairness } = await getFairness({ path, throwOnError: true });
  if (!score.final || !fairness.seed) throw new Error("not over");
  return `${variant}: finished after ${version} events, winners ${score.winners}`;
}

async function main(): Promise<void> {
  client.setConfig({ baseUrl: process.argv[2] });
  const { data } = await listVariants({ throwOnError: true });
  await createGame({ body: smallest, throwOnError: true });
  for (const { variant } of data.variants) {
    const { data: about } = await getVariant({ path: { variant }, throwOnError: true });
    console.log(await play(newGame(about) as NewGame, variant));
  }
}

void main();

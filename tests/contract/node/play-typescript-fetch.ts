// Plays a game of each variant through the client that openapi-generator makes with `typescript-fetch`.

import { chooser, isSeat, newGame } from "./games";
import { Configuration, GamesApi, NewGameFromJSON, VariantsApi, type NewGame } from "./generated/typescript-fetch";

const basePath = process.argv[2];
const games = (accessToken?: string) => new GamesApi(new Configuration({ basePath, accessToken }));

// What has a default can be left out.
const smallest: NewGame = { variant: "duel", players: ["Ann", { name: "Ben", bot: "greedy" }], options: {} };

async function play(newGame: NewGame, variant: string): Promise<string> {
  const choose = chooser(13);
  const created = await games().createGame({ newGame });
  const gameId = created.id;
  let { toAct, version } = created;
  while (toAct.length > 0) {
    const seat = choose((toAct as (number | "chance")[]).filter(isSeat));
    const api = games(created.tokens.seats[seat] ?? undefined);
    const legal = await api.listMoves({ gameId });
    const movesRequest = choose<(typeof legal.moves)[number]>(legal.moves);
    const judged = await api.checkMoves({ gameId, movesRequest });
    if (!judged.legal) throw new Error(judged.problem?.detail);
    const acted = await api.makeMoves({ gameId, movesRequest, include: new Set(["moves", "score"] as const) });
    if (!acted.game.score) throw new Error("nothing included");
    ({ toAct, version } = acted.game);
  }
  const score = await games().getScore({ gameId });
  const fairness = await games().getFairness({ gameId });
  if (!score._final || !fairness.seed) throw new Error("not over");
  return `${variant}: finished after ${version} events, winners ${score.winners}`;
}

async function main(): Promise<void> {
  const api = new VariantsApi(new Configuration({ basePath }));
  const { variants } = await api.listVariants();
  await games().createGame({ newGame: smallest });
  for (const { variant } of variants) {
    const about = await api.getVariant({ variant });
    console.log(await play(NewGameFromJSON(newGame(about)), variant));
  }
}

void main();

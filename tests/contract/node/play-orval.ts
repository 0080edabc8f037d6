// Plays a game of each variant through the client that orval makes with `fetch`.

import { chooser, isSeat, newGame } from "./games";
import {
  checkMoves,
  createGame,
  getFairness,
  getScore,
  getVariant,
  listMoves,
  listVariants,
  makeMoves,
  type NewGame,
} from "./generated/orval";

// The client asks for paths without a host, as it would on a page of the service.
const send = globalThis.fetch;
globalThis.fetch = (path, options) => send(new URL(String(path), process.argv[2]), options);

// What has a default can be left out.
const smallest: NewGame = { variant: "duel", players: ["Ann", { name: "Ben", bot: "greedy" }], options: {} };

/** The data of an answer with that status. */
function good<Answer extends { status: number; data: unknown }, Status extends Answer["status"]>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }>["data"] {
  if (answer.status !== status) throw new Error(JSON.stringify(answer.data));
  return answer.data as Extract<Answer, { status: Status }>["data"];
}

async function play(wish: NewGame, variant: string): Promise<string> {
  const choose = chooser(17);
  const created = good(await createGame(wish), 201);
  const { id } = created;
  let { to_act, version } = created;
  while (to_act.length > 0) {
    const seat = choose(to_act.filter(isSeat));
    const options = { headers: { Authorization: `Bearer ${created.tokens.seats[seat]}` } };
    const legal = good(await listMoves(id, undefined, options), 200);
    const move = choose<(typeof legal.moves)[number]>(legal.moves);
    const judged = good(await checkMoves(id, move, undefined, options), 200);
    if (!judged.legal) throw new Error(judged.problem?.detail);
    const acted = good(await makeMoves(id, move, { include: ["moves", "score"] }, options), 200);
    if (!acted.game.score) throw new Error("nothing included");
    ({ to_act, version } = acted.game);
  }
  const score = good(await getScore(id), 200);
  const fairness = good(await getFairness(id), 200);
  if (!score.final || !fairness.seed) throw new Error("not over");
  return `${variant}: finished after ${version} events, winners ${score.winners}`;
}

async function main(): Promise<void> {
  const { variants } = good(await listVariants(), 200);
  good(await createGame(smallest), 201);
  for (const { variant } of variants) {
    const about = good(await getVariant(variant), 200);
    console.log(await play(newGame(about) as NewGame, variant));
  }
}

void main();

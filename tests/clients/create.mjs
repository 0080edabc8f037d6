// Creates a game, judges a move with a generated function, and prints both answers: node create.mjs SERVICE_URL
import { GameClient, ProblemError, checkMoves, create, getScore } from "lostcities-client";

const created = await create(process.argv[2], { variant: "duel", players: ["Ann", "Ben"], options: { max_turns: 2 } });
const game = new GameClient(`${process.argv[2]}/games/${created.id}`, created.tokens.seats[0]);
const { data: judged } = await checkMoves({ client: game.client, path: game.path, body: { notation: "draw deck" } });
const { data: score } = await getScore({ client: game.client, path: game.path });
const refused = await game.make({ notation: "draw deck" }).catch((error) => error);
const [first, second] = [await game.turns().next(), await game.turns().next()].map(({ value }) => value);
const made = [await first.make(first.moves[0]), await second.make(second.moves[0])];
console.log(
  JSON.stringify({
    id: created.id,
    legal: judged.legal,
    final: score.final,
    refused: refused instanceof ProblemError && [refused.status, refused.code],
    made: made.map((acted) => acted && acted.version),
  }),
);

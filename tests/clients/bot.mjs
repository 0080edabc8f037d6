// Plays a seat until its game is over: node bot.mjs http://127.0.0.1:8000/games/GAME_ID SEAT_TOKEN
import { GameClient } from "lostcities-client";

const game = new GameClient(process.argv[2], process.argv[3]);
let made = 0;
for await (const turn of game.turns()) {
  const move = turn.moves[Math.floor(Math.random() * turn.moves.length)];
  if (await turn.make(move)) made += 1;
}
console.log(made, (await game.get()).outcome);

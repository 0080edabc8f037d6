// Reads a game once and prints its version, or the error: node read.mjs GAME_URL
import { GameClient } from "lostcities-client";

const told = await new GameClient(process.argv[2]).get().then(
  ({ version }) => ({ version }),
  ({ name, message, problem }) => ({ error: name, message, problem }),
);
console.log(JSON.stringify(told));

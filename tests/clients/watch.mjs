// Prints each message of a game's stream as a line of JSON: node watch.mjs GAME_URL [TOKEN [AFTER]]
import { GameClient } from "lostcities-client";

const [url, token, after] = process.argv.slice(2);
for await (const { event, data } of new GameClient(url, token || undefined).messages(after ? Number(after) : undefined))
  console.log(JSON.stringify([event, data.version ?? null]));

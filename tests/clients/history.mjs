// Prints the versions of a game's events as one line of JSON: node history.mjs GAME_URL AFTER PAGE_SIZE
import { GameClient } from "lostcities-client";

const [url, after, pageSize] = process.argv.slice(2);
const versions = [];
for await (const { version } of new GameClient(url).history(Number(after), Number(pageSize))) versions.push(version);
console.log(JSON.stringify(versions));

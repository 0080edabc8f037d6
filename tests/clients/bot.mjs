// Plays a seat until its game is over: node bot.mjs http://127.0.0.1:8000/games/GAME_ID SEAT_TOKEN, or play() on a page

const anyOf = (moves) => moves[Math.floor(Math.random() * moves.length)];

export async function play(url, token, choose = anyOf) {
  async function ask(path, move, more) {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...more };
    const request = { method: move ? "POST" : "GET", headers, body: move && JSON.stringify(move) };
    for (let attempt = 0; attempt < 12; attempt++) { // the same request with the same key is carried out once
      const signal = AbortSignal.timeout(60_000);
      const answer = await fetch(url + path, { ...request, signal }).catch(() => null); // null: the line was cut,
      const body = await answer?.json().catch(() => null); // before or after the move was made
      if (answer?.ok && body) return [body, answer.headers.get("ETag")];
      if ([409, 412].includes(answer?.status)) return [null]; // the game has moved on meanwhile: look again
      if (answer && !answer.ok && ![429, 502, 503, 504].includes(answer.status))
        throw new Error(`${answer.status}: ${JSON.stringify(body)}`);
      const wait = Number(answer?.headers.get("Retry-After") ?? 0) + Math.random() * Math.min(20, 0.1 * 2 ** attempt);
      await new Promise((done) => setTimeout(done, 1000 * wait));
    }
    throw new Error("the service does not answer");
  }

  let [made, [game, seen]] = [0, await ask("?include=moves")];
  while (game.status === "playing") {
    let told = null;
    if (game.moves.length) {
      const once = { "If-Match": seen, "Idempotency-Key": crypto.randomUUID() };
      [told, seen] = await ask("/moves?include=moves", choose(game.moves), once);
      made += told ? 1 : 0;
    }
    if (told) game = told.game;
    else [game, seen] = await ask(`?include=moves&after=${game.version}&wait=25`);
  }
  return { moves: made, outcome: game.outcome };
}

if (globalThis.process) console.log(JSON.stringify(await play(...process.argv.slice(2))));

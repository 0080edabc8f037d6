// A connection to the service, and one game seen with one token: moves, long polls, streams.

import { createClient, createConfig, type Client } from "./generated/client/index.js";
import { createGame, getGame, makeMoves } from "./generated/sdk.gen.js";
import type {
  Acted,
  CreatedGame,
  Event,
  Game,
  GetGameData,
  LegalMoves,
  MovesRequest,
  NewGame,
  StreamEnd,
} from "./generated/types.gen.js";
import { defaultRetry, isStream, retrying, sleep, type Retry } from "./retry.js";
import { blocks } from "./sse.js";

/** Seconds of one long poll. */
const WAIT = 25;
/** Seconds within which a stream is opened again, unless the stream says otherwise. */
const RECONNECT = 2;

/** The service refused the request. The attributes are those of the problem document (RFC 9457). */
export class ProblemError extends Error {
  readonly code: string;
  readonly detail: string;

  constructor(
    readonly status: number,
    readonly problem: { code?: string; detail?: string },
  ) {
    super(`${status}: ${problem.code ?? ""}: ${problem.detail ?? JSON.stringify(problem)}`);
    this.name = "ProblemError";
    this.code = problem.code ?? "";
    this.detail = problem.detail ?? "";
  }
}

export interface ConnectOptions {
  /** A token of a game or, to create games, an API key. */
  token?: string;
  retry?: Partial<Retry>;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/** A client for the generated functions, with retries: `getScore({ client, path: { game_id } })`. */
export function connect(url: string, { token, retry, fetch }: ConnectOptions = {}): Client {
  return createClient(
    createConfig({
      baseUrl: url.replace(/\/+$/, ""),
      fetch: retrying({ ...defaultRetry, ...retry }, fetch),
      ...(token ? { headers: { Authorization: `Bearer ${token}` } } : {}),
    }),
  );
}

/** The data and the ETag of an answer. A problem is thrown as `ProblemError`. */
async function answer<T>(
  asked: Promise<{ data?: T; error?: unknown; response?: Response }>,
): Promise<{ data: T; etag: string }> {
  const { data, error, response } = await asked;
  if (!response) throw error;
  if (data === undefined) throw new ProblemError(response.status, (error ?? {}) as { code?: string; detail?: string });
  return { data, etag: response.headers.get("ETag") ?? "" };
}

/** Create a game. The result has the tokens, which are shown once. */
export async function create(url: string, game: NewGame, options: ConnectOptions & { key?: string } = {}): Promise<CreatedGame> {
  const headers = options.key === undefined ? {} : { "Idempotency-Key": options.key };
  return (await answer(createGame({ client: connect(url, options), body: game, headers }))).data;
}

export type Move = LegalMoves["moves"][number];

export type Message =
  | { event: "game"; data: Game }
  | { event: "event"; data: Event }
  | { event: "end"; data: StreamEnd };

/** A game with its ETag. */
interface Seen {
  data: Game;
  etag: string;
}

/** A decision of the caller: the game, and the moves that the caller may make in it. */
export class Turn {
  /** The game after the move, with the moves of the next decision. */
  next?: Seen;

  constructor(
    readonly game: Game,
    readonly moves: readonly Move[],
    readonly etag: string,
    private readonly send: (move: MovesRequest, etag: string) => Promise<{ data: Acted; etag: string }>,
  ) {}

  /** Make a move, once. `null` if the decision is no longer open, because another request has made it. */
  async make(move: MovesRequest): Promise<Acted | null> {
    try {
      const { data, etag } = await this.send(move, this.etag);
      this.next = { data: data.game, etag };
      return data;
    } catch (error) {
      if (error instanceof ProblemError && error.status === 412) return null;
      throw error;
    }
  }
}

/** A game of the service, used with one token, or without one to watch. */
export class GameClient {
  readonly id: string;
  /** For every other call: `getScore({ client: game.client, path: game.path })`. */
  readonly client: Client;
  readonly #silence: number;

  /** `url` is the URL of the game, `https://…/games/{id}`. A seat of a bot has the token `null`. */
  constructor(url: string, token?: string | null, options: Omit<ConnectOptions, "token"> = {}) {
    const [, service = "", id = ""] = /^(.*)\/games\/([^/]+)\/*$/.exec(url) ?? [];
    this.id = id;
    this.client = connect(service, { ...options, ...(token ? { token } : {}) });
    this.#silence = options.retry?.timeout ?? defaultRetry.timeout;
  }

  get path(): { game_id: string } {
    return { game_id: this.id };
  }

  /** The game as the caller may see it. */
  async get(): Promise<Game> {
    return (await this.#get({})).data;
  }

  /** A long poll: the game when it has a later version than `after`, or as it is when the time is up. */
  async wait(after: number, seconds: number = WAIT): Promise<Game> {
    return (await this.#get({ after, wait: seconds })).data;
  }

  /** Make a move or a list of moves, once.
   *
   * `ifMatch` is an `ETag`: a decision on an old state is refused (412). `key` is the `Idempotency-Key`.
   */
  async make(move: MovesRequest, { ifMatch, key }: { ifMatch?: string; key?: string } = {}): Promise<Acted> {
    return (await this.#make(move, ifMatch, key)).data;
  }

  /** Every decision of the caller until the game is over: one request for each.
   *
   * After a decision the iterator waits until the caller may decide again, with a long poll. If no move was made, it
   * waits until the game has gone on.
   */
  async *turns(): AsyncGenerator<Turn, void> {
    let { data: game, etag } = await this.#get({ include: "moves" });
    while (game.status === "playing") {
      let next: Seen | undefined;
      if (game.moves?.length) {
        const turn = new Turn(game, game.moves, etag, (move, seen) => this.#make(move, seen));
        yield turn;
        next = turn.next;
      }
      ({ data: game, etag } = next ?? (await this.#get({ include: "moves", after: game.version, wait: WAIT })));
    }
  }

  #get(query: NonNullable<GetGameData["query"]>): Promise<Seen> {
    return answer(getGame({ client: this.client, path: this.path, query }));
  }

  /** The game in the answer has the moves of the next decision. */
  #make(move: MovesRequest, ifMatch?: string, key?: string): Promise<{ data: Acted; etag: string }> {
    const headers = {
      ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    };
    const query = { include: "moves" as const };
    return answer(makeMoves({ client: this.client, path: this.path, body: move, query, headers }));
  }

  /** The game, then every event when it happens, then the end. An interrupted stream is resumed.
   *
   * `after` is the version of an event: the iterator continues with the next one.
   */
  async *watch(after?: number): AsyncGenerator<Message, void> {
    let last = after?.toString();
    let pause = RECONNECT;
    for (;;) {
      const headers = last === undefined ? {} : { "Last-Event-ID": last };
      const { data: body, response, error } = await this.client.get<ReadableStream<Uint8Array>>({
        url: "/games/{game_id}/events",
        path: this.path,
        headers,
        parseAs: "stream",
      });
      if (!response) throw error;
      if (!response.ok) throw new ProblemError(response.status, error as object);
      if (!isStream(response) || !body) return; // 204: there is nothing more to come
      try {
        for await (const { event, data, id, retry } of blocks(body as ReadableStream<Uint8Array>, this.#silence)) {
          last = id ?? last;
          pause = retry ?? pause;
          if (data !== undefined) yield { event, data } as Message;
          if (event === "end") return;
        }
      } catch (interrupted) {
        if (interrupted instanceof SyntaxError) throw interrupted; // not JSON
      }
      await sleep(Math.random() * pause);
    }
  }
}

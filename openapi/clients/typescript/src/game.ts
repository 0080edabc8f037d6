// A connection to the service, and one game seen with one token: moves, long polls, streams.

import {
  createClient,
  createConfig,
  createGame,
  getGame,
  getHistory,
  makeMoves,
  withMoves,
  type Acted,
  type Additions,
  type Client,
  type CreatedGame,
  type Event,
  type Game,
  type GameQuery,
  type History,
  type Move,
  type MovesRequest,
  type NewGame,
  type StreamEnd,
  type StreamEvent,
} from "./contract.js";
import { OutdatedServiceError, problemError, ProblemError } from "./errors.js";
import { defaultRetry, isStream, RETRIED, retrying, sleep, type Retry } from "./retry.js";
import { blocks, type Block } from "./sse.js";
import { VERSION } from "./version.js";

/** Seconds of one long poll. */
const WAIT = 25;
/** Seconds within which a stream is opened again, unless the stream says otherwise. */
const RECONNECT = 2;
/** Seconds without data after which a stream is given up. The service sends a comment every 15 seconds. */
const SILENCE = 20;
/** After this number of streams in a row that sent nothing, a client that waits for its turn polls. */
const TRIES = 2;

/** Events on a page of the history: as many as the service allows. */
const PAGE = 500;

/** The version of node, or undefined in a browser. */
const node = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node;
/** In a browser it stays the browser's own: another one would need the service's permission (CORS). */
const userAgent = node ? { "User-Agent": `lostcities-client/${VERSION} node/${node}` } : {};

export interface ConnectOptions {
  /** A token of a game or, to create games, an API key. */
  token?: string;
  /**
   * The language of the service's sentences, such as the details of problems: `de`, or several as in `Accept-Language`.
   * By default it is English, or in a browser the first of its languages that the service has.
   */
  language?: string;
  retry?: Partial<Retry>;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/** A client for the generated functions, with retries: `getScore({ client, path: { game_id } })`. */
export function connect(url: string, { token, language, retry, fetch }: ConnectOptions = {}): Client {
  return createClient(
    createConfig({
      baseUrl: url.replace(/\/+$/, ""),
      fetch: retrying({ ...defaultRetry, ...retry }, fetch),
      headers: {
        ...userAgent,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(language ? { "Accept-Language": language } : {}),
      },
    }),
  );
}

/** The data and the ETag of an answer. A problem is thrown as `ProblemError`. */
async function answer<T>(
  asked: Promise<{ data?: T; error?: unknown; response?: Response }>,
): Promise<{ data: T; etag: string }> {
  const { data, error, response } = await asked;
  if (!response) throw error;
  if (data === undefined) throw problemError(response, error);
  return { data, etag: response.headers.get("ETag") ?? "" };
}

/** Create a game. The result has the tokens, which are shown once. */
export async function create(url: string, game: NewGame, options: ConnectOptions & { key?: string } = {}): Promise<CreatedGame> {
  const headers = options.key === undefined ? {} : { "Idempotency-Key": options.key };
  return (await answer(createGame({ client: connect(url, options), body: game, headers }))).data;
}

/** A message of a stream: its kind, and its data. The compiler knows the type of `data` where `event` was compared. */
export type Message = GameMessage | EventMessage | EndMessage;

/** The first message: the game as the caller may see it. A resumed stream has none. */
export interface GameMessage {
  event: "game";
  data: Game;
}

/** A move or an outcome of chance. With `include` the newest one has the `game` after it. */
export interface EventMessage {
  event: "event";
  data: StreamEvent;
}

/** The last message: why the stream ends. */
export interface EndMessage {
  event: "end";
  data: StreamEnd;
}

const KINDS: ReadonlySet<string> = new Set<Message["event"]>(["game", "event", "end"]);

/** A game with its ETag. */
interface Seen {
  data: Game;
  etag: string;
}

export interface MessageOptions {
  /** What the messages contain besides the events. */
  include?: Additions;
  signal?: AbortSignal;
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
  /** Sends a request once, to open a stream without which the client can do. */
  readonly #once: Client;

  /** `url` is the URL of the game, `https://…/games/{id}`. A seat of a bot has the token `null`. */
  constructor(url: string, token?: string | null, options: Omit<ConnectOptions, "token"> = {}) {
    const [, service = "", id = ""] = /^(.*)\/games\/([^/]+)\/*$/.exec(url) ?? [];
    this.id = id;
    const authorised = { ...options, ...(token ? { token } : {}) };
    this.client = connect(service, authorised);
    this.#once = connect(service, { ...authorised, retry: { attempts: 1, timeout: SILENCE } });
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
   * After a decision the iterator waits until the caller may decide again. It waits with a stream, which has the moves,
   * and opens it when it is needed first. If no move was made, it waits until the game has gone on.
   */
  async *turns(): AsyncGenerator<Turn, void> {
    let { data: game, etag } = await this.#get(withMoves);
    const updates = new Updates(
      (after) => this.#openStream(this.#once, SILENCE, { after: `${after}`, include: ["moves"] }),
      (after, wait) => this.#get({ ...withMoves, after, wait }),
    );
    try {
      while (game.status === "playing") {
        let next: Seen | undefined;
        if (game.moves?.length) {
          const turn = new Turn(game, game.moves, etag, (move, seen) => this.#make(move, seen));
          yield turn;
          next = turn.next;
        }
        ({ data: game, etag } = next ?? (await updates.laterThan(game.version)));
      }
    } finally {
      await updates.close();
    }
  }

  #get(query: GameQuery): Promise<Seen> {
    return answer(getGame({ client: this.client, path: this.path, query }));
  }

  /** The game in the answer has the moves of the next decision. */
  #make(move: MovesRequest, ifMatch?: string, key?: string): Promise<{ data: Acted; etag: string }> {
    const headers = {
      ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    };
    return answer(makeMoves({ client: this.client, path: this.path, body: move, query: withMoves, headers }));
  }

  /** Every event after a version, the oldest first, until the newest. A page is requested when it is needed. */
  async *history(after = 0, pageSize: number = PAGE): AsyncGenerator<Event, void> {
    for (let next: number | null = after; next !== null; ) {
      const query = { after: next, limit: pageSize };
      const page: History = (await answer(getHistory({ client: this.client, path: this.path, query }))).data;
      yield* page.events;
      next = page.next;
    }
  }

  /** The game, then every event when it happens, then the end. An interrupted stream is resumed.
   *
   * `after` is the version of an event: the iterator continues with the next one. `include` adds moves and score to the
   * game, and the game to the newest event: `message.data.game`. To stop while the stream is silent, abort the signal:
   * the iterator throws its reason.
   */
  async *messages(after?: number, options: MessageOptions = {}): AsyncGenerator<Message, void> {
    const { signal } = options;
    let last = after?.toString();
    let pause = RECONNECT;
    for (;;) {
      const opened = await this.#openStream(this.client, this.#silence, { ...options, after: last });
      if (!opened) return;
      try {
        for await (const { event, data, id, retry } of opened) {
          last = id ?? last;
          pause = retry ?? pause;
          if (KINDS.has(event)) yield { event, data } as Message;
          if (event === "end") return;
        }
      } catch (interrupted) {
        signal?.throwIfAborted();
        if (interrupted instanceof SyntaxError) throw interrupted; // not JSON
      }
      await sleep(Math.random() * pause);
    }
  }

  /** The blocks of one stream. Null if there is nothing more to come (204). */
  async #openStream(
    client: Client,
    silence: number,
    { after, include, signal }: MessageOptions & { after: string | undefined },
  ): Promise<AsyncGenerator<Block> | null> {
    const { data: body, response, error } = await client.get<ReadableStream<Uint8Array>>({
      url: "/games/{game_id}/events",
      path: this.path,
      headers: after === undefined ? {} : { "Last-Event-ID": after },
      parseAs: "stream",
      ...(include ? { query: { include: include.join(",") } } : {}),
      ...(signal ? { signal } : {}),
    });
    if (!response) throw error;
    if (!response.ok) throw problemError(response, error);
    return isStream(response) && body ? blocks(body as ReadableStream<Uint8Array>, silence) : null;
  }

  /** The same as `messages`.
   *
   * @deprecated Use `messages`.
   */
  watch(after?: number): AsyncGenerator<Message, void> {
    return this.messages(after);
  }
}

/** Waits for later versions of a game: with one stream, or with other requests while there is none. */
class Updates {
  #blocks: AsyncGenerator<Block> | null = null;
  /** Streams in a row that sent nothing. */
  #failed = 0;

  constructor(
    private readonly open: (after: number) => Promise<AsyncGenerator<Block> | null>,
    private readonly poll: (after: number, wait: number) => Promise<Seen>,
  ) {}

  /** The first game with a later version that the stream or another request gives. */
  async laterThan(version: number): Promise<Seen> {
    for (;;) {
      let wait = WAIT;
      try {
        const game = this.#failed < TRIES ? await this.#next(version) : null;
        if (game) return { data: game, etag: `"${game.version}"` };
      } catch (error) {
        if (error instanceof OutdatedServiceError) throw error;
        if (error instanceof ProblemError) {
          if (!RETRIED.has(error.status)) throw error;
          // The limit of streams counts long polls, too. A request that does not wait is always possible.
          wait = this.#failed = 0;
          await sleep(error.retryAfter || RECONNECT);
        }
      }
      await this.close();
      const polled = await this.poll(version, wait);
      if (polled.data.version > version) return polled;
    }
  }

  /** The first game with a later version in the stream, which is opened if need be. Null if it ends before. */
  async #next(version: number): Promise<Game | null> {
    if (!this.#blocks) {
      this.#failed += 1;
      this.#blocks = await this.open(version);
    }
    if (!this.#blocks) return null;
    // `for await` would close the stream.
    for (let next = await this.#blocks.next(); !next.done; next = await this.#blocks.next()) {
      this.#failed = 0;
      const { event, data } = next.value;
      const game = event === "event" ? (data as StreamEvent).game : undefined;
      if (game && game.version > version) return game;
    }
    return null;
  }

  async close(): Promise<void> {
    const opened = this.#blocks;
    this.#blocks = null;
    await opened?.return(undefined);
  }
}

// The generated names that the layer written by hand uses. A schema with a new name changes only this module.

import type { GetGameData, LegalMoves, MakeMovesData } from "./generated/types.gen.js";

export { createClient, createConfig } from "./generated/client/index.js";
export type { Client } from "./generated/client/index.js";
export { createGame, getGame, getHistory, makeMoves } from "./generated/sdk.gen.js";
export type {
  Acted,
  CreatedGame,
  Event,
  Game,
  History,
  MovesRequest,
  NewGame,
  Problem,
  StreamEnd,
  StreamEvent,
} from "./generated/types.gen.js";

export type Move = LegalMoves["moves"][number];

type Query<Data extends { query?: unknown }> = NonNullable<Data["query"]>;
export type GameQuery = Query<GetGameData>;

/** The names in `include`. */
export type Additions = NonNullable<GameQuery["include"]>;

/** Adds the legal moves to a game that is read, and to the game after a move. */
export const withMoves: Pick<GameQuery & Query<MakeMovesData>, "include"> = { include: ["moves"] };

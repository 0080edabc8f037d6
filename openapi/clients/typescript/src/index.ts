// A client of the Lost Cities rules oracle. `GameClient` plays and watches one game, `create` creates one. Every other
// call is a generated function, used with a client from `connect`.

export * from "./generated/index.js";
export type { Client } from "./generated/client/index.js";
export { connect, create, GameClient, ProblemError, Turn } from "./game.js";
export type { ConnectOptions, Message, Move } from "./game.js";
export { defaultRetry } from "./retry.js";
export type { Retry } from "./retry.js";

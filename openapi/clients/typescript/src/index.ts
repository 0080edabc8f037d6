// A client of the Lost Cities rules oracle. `GameClient` plays and watches one game, `create` creates one. Every other
// call is a generated function, used with a client from `connect`.

export * from "./generated/index.js";
export type { Additions, Client, Move } from "./contract.js";
export { OutdatedServiceError, ProblemError } from "./errors.js";
export { connect, create, GameClient, Turn } from "./game.js";
export type { ConnectOptions, EndMessage, EventMessage, GameMessage, Message, MessageOptions } from "./game.js";
export { defaultRetry } from "./retry.js";
export type { Retry } from "./retry.js";
export { VERSION } from "./version.js";

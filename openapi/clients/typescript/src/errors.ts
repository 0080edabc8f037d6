// The errors that the client throws besides those of `fetch`.

import type { Problem } from "./contract.js";
import { VERSION } from "./version.js";

const PROBLEM = "application/problem+json";
/** The version of a service that does not send `API-Version`. */
const WITHOUT_HEADER = "1.0.0";

const isProblem = (response: Response) => (response.headers.get("Content-Type") ?? "").startsWith(PROBLEM);

/** The service refused the request. */
export class ProblemError extends Error {
  readonly code: string;
  readonly detail: string;

  /** `problem` is the problem document (RFC 9457), `retryAfter` the seconds that `Retry-After` demands. */
  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly retryAfter: number = 0,
  ) {
    super(`${status}: ${problem.code}: ${problem.detail}`);
    this.name = "ProblemError";
    this.code = problem.code;
    this.detail = problem.detail;
  }
}

/** The error for a response. What a proxy sends instead of a problem is the detail of a problem without a code. */
export function problemError(response: Response, body: unknown): ProblemError {
  const { status, statusText: title } = response;
  const detail = typeof body === "string" ? body : JSON.stringify(body ?? "");
  const withoutCode: Problem = { type: "about:blank", title, status, code: "", detail, request_id: "" };
  const problem = isProblem(response) ? { ...withoutCode, ...(body as Problem) } : withoutCode;
  return new ProblemError(status, problem, retryAfter(response));
}

/** The seconds that `Retry-After` demands: a number, or the time until a date. */
export function retryAfter(response: Response): number {
  const value = response.headers.get("Retry-After") ?? "0";
  const seconds = Number(value);
  return Math.max(0, Number.isNaN(seconds) ? (Date.parse(value) - Date.now()) / 1000 || 0 : seconds);
}

/** The service is older than the contract that this package was built from. */
export class OutdatedServiceError extends Error {
  constructor(
    readonly service: string,
    readonly needed: string,
  ) {
    super(
      `the service has version ${service} of the API and this client was built for ${needed}: ` +
        `update the service, or install version ${service} of the client`,
    );
    this.name = "OutdatedServiceError";
  }
}

/** Throws `OutdatedServiceError` if the service is older than needed. A patch version changes no contract.
 *
 * A proxy's own response has no version. What the service sent has an `X-Request-Id`.
 */
export function checkVersion(response: Response, needed: string = VERSION): void {
  const { headers, ok } = response;
  const isFromService = headers.has("X-Request-Id") && (ok || isProblem(response));
  const version = headers.get("API-Version") ?? (isFromService ? WITHOUT_HEADER : needed);
  const [major = 0, minor = 0] = numbers(version);
  const [neededMajor = 0, neededMinor = 0] = numbers(needed);
  if (major < neededMajor || (major === neededMajor && minor < neededMinor))
    throw new OutdatedServiceError(version, needed);
}

const numbers = (version: string) => version.split(".").map(Number);

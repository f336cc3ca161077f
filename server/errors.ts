// The errors that callers may see, and the one table that says how each door shows them.
// A DomainError is an answer. Anything else that is thrown is a bug: logged, and shown as "Internal error" with the request id.

interface Face {
  /** HTTP status at the doors that speak HTTP. */
  http: number;
  /** `protocol`: a JSON-RPC error with the HTTP status; `result`: a tool result with `isError`, so that a model can mend its call. */
  mcp: "protocol" | "result";
  retryable?: true;
}

const faces = {
  // who calls
  missing_token: { http: 401, mcp: "protocol" },
  invalid_token: { http: 401, mcp: "protocol" },
  insufficient_scope: { http: 403, mcp: "protocol" },
  rate_limited: { http: 429, mcp: "protocol", retryable: true },
  unknown_endpoint: { http: 404, mcp: "protocol" },
  // what is asked
  unknown_tool: { http: 200, mcp: "protocol" },
  invalid_arguments: { http: 400, mcp: "result" },
  cursor_invalid: { http: 400, mcp: "result" },
  store_not_available: { http: 404, mcp: "result" },
  product_not_found: { http: 404, mcp: "result" },
  no_loyalty_program: { http: 404, mcp: "result" },
  // people's side
  forbidden: { http: 403, mcp: "protocol" },
  not_found: { http: 404, mcp: "protocol" },
  conflict: { http: 409, mcp: "protocol" },
  invalid_input: { http: 400, mcp: "protocol" },
  terms_outdated: { http: 409, mcp: "protocol" },
  key_limit_reached: { http: 409, mcp: "protocol" },
  feed_refused: { http: 422, mcp: "protocol" },
  // us
  unavailable: { http: 503, mcp: "protocol", retryable: true },
} as const satisfies Record<string, Face>;

export type ErrorCode = keyof typeof faces;

export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly details: Record<string, unknown>;

  /**
   * @param code what went wrong, from the table above
   * @param message safe to show to the caller; says what to do next
   * @param options `details` are shown too; `cause` goes to the log alone
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    // Where it was thrown says nothing of an answer, and takes as long to find out as to look up a key.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.details = options.details ?? {};
  }

  get face(): Face {
    return faces[this.code];
  }
}

/** @param field where it was named, if somebody typed its name */
export const notFound = (what: string, field?: string) =>
  new DomainError("not_found", `There is no such ${what}.`, { details: field === undefined ? {} : { field } });

/** Of what a form changes: unlike after `notFound`, the form stays, with what was typed. */
export const removedMeanwhile = (what: string) =>
  new DomainError(
    "conflict",
    `This ${what} was removed in the meantime, so nothing was saved. Copy what you want to keep into a new one.`,
  );

/**
 * Is the database away, or does it refuse to work, rather than find fault with the statement? Drizzle has that error as its
 * error's `cause`. A DomainError is an outage only if it says so itself, whatever its cause: that may be the connection of a
 * caller that broke off.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === "unavailable";
  const { code, routine, cause } = (error ?? {}) as { code?: unknown; routine?: unknown; cause?: unknown };
  // A statement prepared before a migration, in a transaction: over the next one it is prepared anew.
  if (code === "0A000" && routine === "RevalidateCachedQuery") return true;
  return isOutageCode(String(code ?? "")) || (cause instanceof Error && isOutage(cause));
}

// Classes 08 connection, 40 given up for another transaction, 53 resources, 57 operator intervention (shutdown, statement
// timeout), 25006 read-only, 55P03 lock.
const isOutageCode = (code: string): boolean =>
  /^(08|40|53|57)\w{3}$|^25006$|^55P03$/.test(code) ||
  /^(CONNECT|CONNECTION|ECONN|ENOENT|EPIPE|ETIMEDOUT|EMFILE|ENFILE|EAGAIN|ENOTFOUND|EAI_|EHOST|ENET|EADDRNOTAVAIL)/.test(
    code,
  );

/** Is it one of which we are the cause: our connections are closed, as the process ends? */
export const isClosed = (error: unknown): boolean =>
  /^CONNECTION_(ENDED|DESTROYED)$/.test(String((error as { code?: unknown })?.code));

/** What anybody is told of an outage. @param cause for the log */
export const unavailable = (cause: unknown) =>
  new DomainError("unavailable", "The service is briefly unavailable. Try again in a second.", { cause });

/** The error as every door shows it: an outage becomes the DomainError `unavailable`, any other error stays. */
export const asTold = (error: unknown): unknown => (isOutage(error) ? unavailable(error) : error);

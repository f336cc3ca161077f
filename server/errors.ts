// The errors that callers may see, and the one table that says how each door shows them.
// A DomainError is an answer. Anything else that is thrown is a bug: it is logged, and shown as "Internal error" with the request id.

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
    // Without a stack trace: for an answer it says nothing, and to make one takes as long as to look up a key.
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

/** @param path the name of a form's field */
export const refuseField = (path: string, message: string) =>
  new DomainError("invalid_input", message, { details: { issues: [{ path, message }] } });

/**
 * Is it the database that is away or refuses to work, and not the statement that is wrong? Drizzle puts the driver's error into
 * `cause`. A DomainError is an outage only if its own code says so: its cause may be a broken connection to a caller, which
 * says nothing of the database.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === "unavailable";
  const { code, routine, cause } = (error ?? {}) as { code?: unknown; routine?: unknown; cause?: unknown };
  // A migration changed its table after it was prepared. In a transaction that cannot be mended; the next one prepares it anew.
  if (code === "0A000" && routine === "RevalidateCachedQuery") return true;
  return isOutageCode(String(code ?? "")) || (cause instanceof Error && isOutage(cause));
}

// By class: 08 connection, 40 given up for another transaction, 53 resources, 57 operator intervention (shutdown, statement
// timeout), 25006 read-only, 55P03 lock.
const isOutageCode = (code: string): boolean =>
  /^(08|40|53|57)\w{3}$|^25006$|^55P03$/.test(code) ||
  /^(CONNECT|CONNECTION|ECONN|ENOENT|EPIPE|ETIMEDOUT|EMFILE|ENFILE|EAGAIN|ENOTFOUND|EAI_|EHOST|ENET|EADDRNOTAVAIL)/.test(
    code,
  );

/** Did it fail because we have closed our own connections, as this process ends? */
export const isClosed = (error: unknown): boolean =>
  /^CONNECTION_(ENDED|DESTROYED)$/.test(String((error as { code?: unknown })?.code));

/** What callers are told of an outage. @param cause for the log */
export const unavailable = (cause: unknown) =>
  new DomainError("unavailable", "The service is briefly unavailable. Try again in a second.", { cause });

/** The error that a door shows: for an outage the DomainError `unavailable`, else the error itself. */
export const asTold = (error: unknown): unknown => (isOutage(error) ? unavailable(error) : error);

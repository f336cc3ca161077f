// Why a request failed, in plain words, and how to fix it: by the error code of its row.
import type { Tone } from "~/ui/tone";

export interface Reason {
  title: string;
  why: string;
  mend: string;
}

export const reasons: Record<string, Reason> = {
  revoked: {
    title: "The key was revoked",
    why: "Someone revoked this key. It cannot be used again.",
    mend: "Issue a new key on the Keys page and use it wherever the old one is still in use. If no one should be using it, there is nothing to do: it gives no access.",
  },
  expired: {
    title: "The key has expired",
    why: "The key was issued with a last day, which has passed.",
    mend: "Issue a new key on the Keys page, with a later last day or none.",
  },
  access_revoked: {
    title: "Access was revoked",
    why: "An operator revoked this platform's access, so none of its keys works.",
    mend: "Overview shows the decision and its reason. Keys work again once access is restored.",
  },
  insufficient_scope: {
    title: "The key lacks the tool's scope",
    why: "Each tool needs a scope. This key was narrowed to others, or the platform does not have it.",
    mend: "Use a key with the scope, or issue one. If the platform itself lacks it, ask the operator.",
  },
  rate_limited: {
    title: "Over the limit of requests per minute",
    why: "All keys and the directory endpoint share the platform's requests per minute, of which one address may spend half at the directory endpoint; the Playground has a limit of its own. This minute's were used up.",
    mend: "Wait as long as Retry-After says, then try again. Spread calls out, cache answers that do not change, or ask the operator for a higher limit; more keys do not help.",
  },
  invalid_arguments: {
    title: "The arguments do not fit the tool",
    why: "An argument is missing, of the wrong type, out of range, or unknown to the tool.",
    mend: "The answer names each argument and what was expected. Models fix it themselves when they are shown the answer.",
  },
  cursor_invalid: {
    title: "The cursor cannot be followed",
    why: "Cursors must be sent exactly as next_cursor gave them. This one was changed, or comes from an older release, or far more products match by now than when it was given out.",
    mend: "Start again without a cursor.",
  },
  store_not_available: {
    title: "The store is not available to you",
    why: "There is no such store, or it is not one that you can read.",
    mend: "Take store ids from list_stores. Coverage lists the stores that you can read, and why.",
  },
  product_not_found: {
    title: "There is no such product",
    why: "The store has no product with this id, or no longer has it.",
    mend: "Take product ids from search_products, and search again when one is gone.",
  },
  no_loyalty_program: {
    title: "The store has no loyalty programme",
    why: "Not every store has one.",
    mend: "Nothing to fix: tell the shopper that there is none.",
  },
  unknown_tool: {
    title: "There is no tool with that name",
    why: "The name is mistyped, or made up by a model that did not see the list.",
    mend: "Call tools/list and offer the model exactly those tools.",
  },
  invalid_params: {
    title: "The request's params do not fit its method",
    why: "A field of params is missing or of the wrong type.",
    mend: "The answer names the field. An MCP client library builds these messages for you.",
  },
  method_not_found: {
    title: "There is no such method",
    why: "The endpoint serves initialize, ping, tools/list and tools/call.",
    mend: "Turn off the client's other features (prompts, resources) for this server, or ignore the answer.",
  },
  unavailable: {
    title: "The database was too slow",
    why: "The request was accepted and counted, then our database took too long or stopped it.",
    mend: "Wait a second, then try again. If it happens again, send us the request id.",
  },
  interrupted: {
    title: "The request was interrupted",
    why: "It was accepted and counted, then the server handling it was stopped or lost the database. The answer may still have arrived.",
    mend: "If you got no answer, try again. Otherwise there is nothing to do.",
  },
  internal_error: {
    title: "Something failed on our side",
    why: "This is our fault. It was logged with the request id.",
    mend: "Try again. If it happens again, send us the request id.",
  },
};

/** The same for operators, who look at platforms' requests and can change what these may do. */
export const toOperators: Record<string, Partial<Reason> & Pick<Reason, "mend">> = {
  revoked: { mend: "For the platform to fix: it needs a new key wherever the old one is still used." },
  expired: { mend: "For the platform to fix: an owner issues another key, with a later last day or none." },
  access_revoked: {
    why: "The platform has no access, so none of its keys works.",
    mend: "Nothing to fix, unless it should have access: restore it on the platform's page.",
  },
  insufficient_scope: {
    mend: "For the platform to fix, with a key that has the scope. If the platform lacks it and should have it, grant it on the platform's page.",
  },
  rate_limited: {
    mend: "If this use is legitimate, raise the requests per minute on the platform's page. More keys would not help.",
  },
  invalid_arguments: { mend: "For the platform to fix: the answer named each argument and what was expected." },
  cursor_invalid: { mend: "For the platform to fix: it starts again without a cursor." },
  store_not_available: {
    title: "The store is not available to the platform",
    why: "There is no such store, or it is not one that the platform can read.",
    mend: "For the platform to fix: list_stores has the ids that it can use. Whether it may read a store is the merchant's choice.",
  },
  product_not_found: { mend: "For the platform to fix: it searches again when a product is gone." },
  no_loyalty_program: { mend: "Nothing to fix: the shopper is told that there is none." },
  unknown_tool: { mend: "For the platform to fix: it should offer its model exactly the tools in tools/list." },
  invalid_params: { mend: "For the platform to fix: the answer named the field." },
  method_not_found: {
    mend: "Nothing to fix: the client asks for features that do not exist here, and can turn them off.",
  },
  unavailable: { mend: "Nothing for the platform to fix. If there are many, check what the database is busy with." },
  interrupted: {
    mend: "Nothing for the platform to fix. If there are many, check whether servers are killed or restarted often.",
  },
  internal_error: { mend: "Requests and the log show what failed, under the request id." },
};

const unknown: Reason = {
  title: "The request failed",
  why: "The answer has the error's code and message.",
  mend: "If the code and message do not help, send us the request id.",
};

/** Where no key was used. */
const lackedByPlatform = {
  title: "The platform lacks the tool's scope",
  why: "Each tool needs a scope. No key was used, so the platform itself lacks this one.",
  mend: "Ask the operator, who grants scopes. “What the caller was told” names the missing one.",
};

/** Whose the request is, or an operator, who can do something else about it. */
export type Reader = "member" | "operator";

/**
 * @param endpoint where it came in, if that is known
 */
export function reasonFor(errorCode: string, reader: Reader, endpoint = "api"): Reason {
  const isKeyless = errorCode === "insufficient_scope" && endpoint !== "api";
  if (isKeyless && reader === "operator")
    return { ...lackedByPlatform, mend: "If it should have the scope, grant it on the platform's page." };
  const reason = isKeyless ? lackedByPlatform : (reasons[errorCode] ?? unknown);
  return reader === "operator"
    ? { ...reason, ...(toOperators[errorCode] ?? { mend: "Only the code was kept." }) }
    : reason;
}

/** Its process was killed: neither its status, nor how long it took, nor what it had is known (decision 0052). */
export const isInterrupted = (errorCode: string | null) => errorCode === "interrupted";

/** What became of a request, in a word. */
export function outcomeOf({ status, errorCode }: { status: number; errorCode: string | null }): {
  label: string;
  tone: Tone;
} {
  if (errorCode === null) return { label: "Answered", tone: "success" };
  if (isInterrupted(errorCode)) return { label: "Interrupted", tone: "warning" };
  if (status === 401 || status === 403 || status === 429) return { label: `Refused ${status}`, tone: "warning" };
  return { label: status >= 500 ? `Failed ${status}` : "Error", tone: "danger" };
}

// The filters of a request log, from the address of its page to what the procedure takes.
import type { LoaderFunctionArgs } from "@remix-run/node";

const outcomes = ["answered", "failed", "error", "refused", "401", "403", "429", "500"] as const;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What was typed, to be shown again, and what it means; `problems` by field, where it means nothing. */
export function filtersOf(request: Request) {
  const { searchParams } = new URL(request.url);
  const text = (name: string) => searchParams.get(name)?.trim() || undefined;
  const typed = {
    id: text("id"),
    tool: text("tool"),
    outcome: text("outcome"),
    code: text("code"),
    key: text("key"),
    from: text("from"),
    to: text("to"),
    consumer: text("consumer"),
  };
  const isId = typed.id === undefined || UUID.test(typed.id);
  const [from, to] = [moment(typed.from), moment(typed.to)];
  const isOrdered = from === undefined || to === undefined || from < to;
  const problem = isId
    ? isOrdered
      ? undefined
      : "“From” must be before “to”."
    : "A request id has 36 characters, such as 0190a7c2-5b1e-7d3a-9c1f-2a6d8e4b0f17. Every answer has it in X-Request-Id.";
  const input = {
    requestId: isId ? typed.id : undefined,
    tool: typed.tool,
    outcome: outcomes.find((outcome) => outcome === typed.outcome),
    code: typed.code,
    from,
    to,
    cursor: text("cursor"),
  };
  return { typed, problem, input };
}

/** `datetime-local` fields say no offset; the page says that they are UTC. */
function moment(typed: string | undefined): string | undefined {
  const at = typed === undefined ? Number.NaN : Date.parse(`${typed}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

export type Filters = ReturnType<typeof filtersOf>;

/** The page of a log that was not asked for, since its filters mean nothing. */
export const nothing: Awaited<ReturnType<LoaderFunctionArgs["context"]["api"]["requests"]["list"]>> = {
  requests: [],
  newer: undefined,
  older: undefined,
  searchedTo: undefined,
};

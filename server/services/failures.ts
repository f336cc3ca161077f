// Internal errors by request id, for support. The log has them too; this is what an operator finds without it.

import * as clock from "../clock";
import type { Core, Ctx, Operator } from "../context";
import { withoutValues } from "../error-report";
import { redactText, storable } from "./redaction";

const MAX_MESSAGE = 500;
const MAX_STACK = 4_000;
const KEPT_A_MINUTE = 60;

/** Where a request failed. `door`: `mcp`, or the path of a page or procedure without its query. */
export interface Failed {
  requestId: string;
  door: string;
  consumerId?: string | undefined;
}

let kept = { minute: 0, times: 0 };

/** Keeps an error, after its answer and without delaying it; sixty a minute on each instance, the log has the rest. */
export function record(
  { sql, log }: Pick<Core, "sql" | "log">,
  { requestId, door, consumerId }: Failed,
  error: unknown,
): void {
  const at = clock.now();
  const minute = Math.floor(at.getTime() / clock.MINUTE_MS);
  if (kept.minute !== minute) kept = { minute, times: 0 };
  kept.times += 1;
  if (kept.times > KEPT_A_MINUTE) return;
  const { name, message, stack } = told(error);
  sql`
    insert into failures (request_id, at, door, consumer_id, name, message, stack)
    values (${requestId}, ${at}, ${redactText(door)}, ${consumerId ?? null}, ${name}, ${message}, ${stack})
    on conflict do nothing`.catch((reason) => log.warn({ request_id: requestId, err: reason }, "failure not kept"));
}

function told(error: unknown): { name: string; message: string; stack: string | null } {
  if (!(error instanceof Error))
    return { name: typeof error, message: storable(String(error)).slice(0, MAX_MESSAGE), stack: null };
  const { message, stack } = withoutValues(error) as { message: string; stack: string };
  const code = (error as { code?: unknown }).code;
  const name = typeof code === "string" ? `${error.name} ${code}` : error.name;
  return {
    name: storable(name).slice(0, 100),
    message: storable(message).slice(0, MAX_MESSAGE),
    stack: storable(stack).slice(0, MAX_STACK),
  };
}

export interface Failure extends Required<Omit<Failed, "consumerId">> {
  at: Date;
  consumerId: string | null;
  name: string;
  message: string;
  stack: string | null;
}

/** What is known of a failed request; undefined when nothing is. */
export async function find({ sql }: Ctx<Operator>, requestId: string): Promise<Failure | undefined> {
  const [found] = await sql<Failure[]>`
    select request_id as "requestId", at, door, consumer_id as "consumerId", name, message, stack
    from failures where request_id = ${requestId}`;
  return found;
}

/** The newest failures, at most 20. */
export const recent = async ({ sql }: Ctx<Operator>): Promise<Omit<Failure, "stack">[]> => sql<
  Omit<Failure, "stack">[]
>`
  select request_id as "requestId", at, door, consumer_id as "consumerId", name, message
  from failures order by at desc limit 20`;

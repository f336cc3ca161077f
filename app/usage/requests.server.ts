// The filters of a request log, from the address of its page to what the procedure takes.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { paged, sought } from "~/lib/api.server";
import { listParams } from "~/lib/list-params.server";

type List = LoaderFunctionArgs["context"]["api"]["requests"]["list"];
type Input = Omit<Parameters<List>[0], "keyId">;
type Page = Awaited<ReturnType<List>>;

/** As the procedures call what the page has a field for. */
const fields = ["requestId", "tool", "outcome", "code", "keyId", "consumer", "from", "to"];

/** The page of a log that was not looked for, since its filters mean nothing. */
const nothing: Page & { isAnew: boolean } = {
  requests: [],
  previous: undefined,
  next: undefined,
  searchedTo: undefined,
  isAnew: false,
};

/** What was typed, to be shown again, and the page of the log that it finds; `problems` by field, where it means nothing. */
export async function logOf(
  args: LoaderFunctionArgs,
  list: (input: Input, typed: { key?: string; consumer?: string }) => Promise<Page>,
) {
  const { cursor, params } = listParams(args.request);
  const text = (name: string) => params.get(name)?.trim() || undefined;
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
  const { id: requestId, tool, outcome, code, from, to } = typed;
  // What the address says is checked by the procedure.
  const input = { requestId, tool, outcome, code, from, to } as Input;
  const read = (at: string | undefined) => list({ ...input, cursor: at }, typed);
  const { found, problems } = await sought(args, fields, paged(args, cursor, read));
  return { typed, problems, page: found ?? nothing };
}

import { type ActionFunctionArgs, data, redirect } from "@remix-run/node";
import { act, load } from "~/lib/api.server";
import { noIntent, typed } from "~/lib/form.server";
import { doneAt } from "./notes";

const notes = { block: "blocked", unblock: "unblocked", grant: "granted", withdraw: "withdrawn" } as const;
type Intent = keyof typeof notes;

/** The merchant's yes or no, as posted: `intent` and `platform`, about the `store` that the page showed. */
export async function decide(args: ActionFunctionArgs) {
  const { intent, platform, store: shown } = await typed(args.request, "intent", "platform", "store");
  if (!Object.hasOwn(notes, intent)) {
    throw noIntent();
  }
  // Not the first of whoever they act for by now.
  const store = shown || (await load(args, () => storeOf(args)));
  const outcome = await act(args, (api) => api.agents[intent as Intent]({ store, platform }));
  return outcome.done ? redirect(doneAt(args.request, notes[intent as Intent])) : outcome.response;
}

/** The store that an address is about; the merchant's first unless it says. @throws Response 404 where there is none */
export async function storeOf({ request, context }: Pick<ActionFunctionArgs, "request" | "context">): Promise<string> {
  const named = new URL(request.url).searchParams.get("store");
  if (named) return named;
  const [first] = await context.api.merchant.storeChoices({});
  if (!first) throw data({ message: "There is no store yet." }, { status: 404 });
  return first.slug;
}

// The three forms of the Keys page, from what was posted to what the page shows of it.
import { type ActionFunctionArgs, data, redirect } from "@remix-run/node";
import { act, formValues } from "~/lib/api.server";
import { isName } from "~/lib/is-name";
import { expectShown } from "./expect-shown.server";
import { revokedAt } from "./keys";

const shownOnce = ({ name, value, scopes }: { name: string; value: string; scopes: string[] }) => ({
  isShownOnce: true,
  name,
  value,
  scopes,
});

export async function issue(args: ActionFunctionArgs, form: FormData) {
  const values = formValues(form);
  const kept = {
    name: String(values.name ?? ""),
    scopes: Array.isArray(values.scopes) ? values.scopes : [],
    expires: String(values.expires ?? ""),
    consumerId: String(values.consumerId ?? ""),
  };
  const outcome = await act(args, async (api) => {
    type Input = Parameters<typeof api.keys.issue>[0];
    const { name, scopes, expires, consumerId } = kept;
    await expectShown(api, consumerId);
    // Scopes are checked by the procedure, like all that was posted.
    const attempt = String(values.attempt ?? "") || undefined;
    return api.keys.issue({ name, scopes: scopes as Input["scopes"], expiresAt: expires || null, attempt });
  });
  return outcome.done
    ? shownOnce(outcome.value)
    : data({ errors: outcome.errors, kept }, outcome.response.init ?? undefined);
}

export async function rotate(args: ActionFunctionArgs, form: FormData) {
  const id = String(form.get("id"));
  const outcome = await act(args, async (api) => {
    // A key of another platform than the one that is looked at by now is not there to be found.
    await expectShown(api, String(form.get("consumerId") ?? ""));
    return api.keys.rotate({ id, revokeOld: form.has("revokeOld") });
  });
  return outcome.done ? shownOnce(outcome.value) : outcome.response;
}

/** The name that was typed is compared here too: without scripts nothing else does. */
export async function revoke(args: ActionFunctionArgs, form: FormData) {
  const id = String(form.get("id"));
  const outcome = await act(args, async (api) => {
    await expectShown(api, String(form.get("consumerId") ?? ""));
    const [keys, { role }] = await Promise.all([api.keys.list(), api.consumer.current()]);
    const name = keys.find((key) => key.id === id)?.name ?? "";
    const isConfirmed = isName(String(form.get("confirm")), name);
    if (isConfirmed || name === "" || role !== "owner") await api.keys.revoke({ id });
    return { name, isConfirmed };
  });
  if (!outcome.done) return outcome.response;
  const { name, isConfirmed } = outcome.value;
  if (isConfirmed) return redirect(revokedAt("/console/keys", id));
  const message = `Nothing was revoked: type “${name}” to confirm.`;
  return data(
    { errors: { message, fields: { confirm: message }, code: "invalid_input", requestId: args.context.requestId } },
    { status: 400 },
  );
}

// What the account's forms have in common on the server: what comes in, and how a refusal goes back.
import { data } from "@remix-run/node";
import { type act, formValues } from "~/lib/api.server";

/** What was typed into these fields; "" where nothing was. @throws Response 400 when the body is no form */
export async function typed<Name extends string>(request: Request, ...names: Name[]): Promise<Record<Name, string>> {
  const form = await request.formData().catch(() => {
    throw Response.json({ message: "The form could not be read. Go back and send it again." }, { status: 400 });
  });
  const values = formValues(form);
  return Object.fromEntries(names.map((name) => [name, String(values[name] ?? "")])) as Record<Name, string>;
}

type Refused = Extract<Awaited<ReturnType<typeof act>>, { done: false }>;

/** A refused form once more: what is wrong with it, and what was typed, so that nobody types it twice. Never a password. */
export const again = <Kept extends Record<string, string>>({ errors, response }: Refused, kept: Kept) =>
  data({ errors, kept }, response.init ?? undefined);

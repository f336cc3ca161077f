// What a form's action needs: what comes in, and how a refusal goes back. How large a body may be is the server's matter.
import { data } from "@remix-run/node";
import { type act, formValues } from "~/lib/api.server";

/** What was posted. @throws Response 400 when the body is no form */
export const formOf = (request: Request): Promise<FormData> =>
  request.formData().catch(() => {
    throw Response.json({ message: "The form could not be read. Go back and send it again." }, { status: 400 });
  });

/** What was typed into these fields; "" where nothing was. @throws Response 400 when the body is no form */
export async function typed<Name extends string>(request: Request, ...names: Name[]): Promise<Record<Name, string>> {
  const values = formValues(await formOf(request));
  return Object.fromEntries(names.map((name) => [name, String(values[name] ?? "")])) as Record<Name, string>;
}

type Refused = Extract<Awaited<ReturnType<typeof act>>, { done: false }>;

/** A refused form once more: what is wrong with it, and what was typed, so that nobody types it twice. Never a password. */
export const again = <Kept extends Record<string, string>>({ errors, response }: Refused, kept: Kept) =>
  data({ errors, kept }, response.init ?? undefined);

/** To be thrown where a page with several forms got one that names none of them: an answer of 400. */
export const noIntent = () => data({ message: "The form did not say what to do." }, { status: 400 });

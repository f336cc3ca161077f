// What a form's action needs: what comes in, and how a refusal goes back.
import { data } from "@remix-run/node";
import { type act, formValues } from "~/lib/api.server";

/** As much as the MCP endpoint takes. */
const MAX_BYTES = 262_144;

/**
 * What was typed into these fields; "" where nothing was.
 * @throws Response 400 when the body is no form, 413 when it is larger than 256 KiB
 */
export async function typed<Name extends string>(request: Request, ...names: Name[]): Promise<Record<Name, string>> {
  const body = new Response(await bounded(request), {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  });
  const form = await body.formData().catch(() => {
    throw Response.json({ message: "The form could not be read. Go back and send it again." }, { status: 400 });
  });
  const values = formValues(form);
  return Object.fromEntries(names.map((name) => [name, String(values[name] ?? "")])) as Record<Name, string>;
}

/** The body, read to its end, so that the connection lives on; what goes beyond the limit is not kept. */
async function bounded(request: Request): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size <= MAX_BYTES) chunks.push(part.value);
  }
  if (size > MAX_BYTES) {
    throw Response.json({ message: "The form is too large. Shorten what you typed." }, { status: 413 });
  }
  return new Blob(chunks);
}

type Refused = Extract<Awaited<ReturnType<typeof act>>, { done: false }>;

/** A refused form once more: what is wrong with it, and what was typed, so that nobody types it twice. Never a password. */
export const again = <Kept extends Record<string, string>>({ errors, response }: Refused, kept: Kept) =>
  data({ errors, kept }, response.init ?? undefined);

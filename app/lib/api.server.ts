// THE door: a loader or action → the typed tRPC caller → errors to redirects, responses and field errors.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";

type Args = LoaderFunctionArgs | ActionFunctionArgs;

/** What a form shows after a refusal. */
export interface FormErrors {
  message: string;
  fields: Record<string, string>;
  code: string;
  requestId: string;
  /** Of a conflict with what another person did: which version saving again replaces, where the page may not have it. */
  version?: string | undefined;
  /** The person looks at another platform or merchant by now, in another window: what the page would load is that one's. */
  isElsewhere?: boolean | undefined;
}

/**
 * Runs what a loader needs through the caller.
 * @param offeredAt of a file: the address that offers it, to which a log-in leads, since nobody arrives at a file
 * @throws Response: a redirect to the log-in when there is no session, and to two-factor authentication where that is
 *   needed first; else the refusal with its status, for the ErrorBoundary
 */
export async function load<T>(
  { context, request, params }: Args,
  run: (api: Args["context"]["api"]) => Promise<T>,
  offeredAt?: string,
): Promise<T> {
  try {
    return await run(context.api);
  } catch (error) {
    const refused = refusal({ context, request }, error, { offeredAt });
    // Nobody logs in, or is sent elsewhere, to learn there that no route has the address.
    if (params["*"] !== undefined && refused.status < 500) throw Response.json({}, { status: 404 });
    const names = Object.keys(params).length > 0 && new URL(request.url).search === "";
    // All that such an address says is what the page is about: what cannot be read of it is a mistyped id.
    if (refused.status !== 400 || !names) throw refused;
    throw offeredAt === undefined ? Response.json({}, { status: 404 }) : inWords("There is no such file.", 404);
  }
}

/**
 * What the filter in a list's address finds; what cannot be read of it, or is not there, `problems` says by field.
 * @param fields what the list's page has a field for; any other fault is no matter of the filter
 */
export async function sought<Found>(
  { context }: Args,
  fields: readonly string[],
  looking: Promise<Found>,
): Promise<{ found: Found | undefined; problems: Record<string, string> }> {
  try {
    return { found: await looking, problems: {} };
  } catch (error) {
    const problems = context.explain(error).fields;
    const faulty = Object.keys(problems);
    if (faulty.length === 0 || !faulty.every((field) => fields.includes(field))) throw error;
    return { found: undefined, problems };
  }
}

/** What a list gives beside its rows: the cursors of the pages before and after. */
export interface ListPage {
  previous: string | undefined;
  next: string | undefined;
}

/**
 * The page of a list where the cursor stands; its first page, `isAnew`, where no such cursor was given, or for another list,
 * or where nothing is left before or after it.
 */
export async function paged<Found extends ListPage>(
  { context }: Args,
  cursor: string | undefined,
  read: (cursor: string | undefined) => Promise<Found>,
): Promise<Found & { isAnew: boolean }> {
  try {
    const found = await read(cursor);
    // A page that was turned to has the one it was turned from beside it, unless it has no rows itself.
    const isGone = cursor !== undefined && found.previous === undefined && found.next === undefined;
    return isGone ? { ...(await read(undefined)), isAnew: true } : { ...found, isAnew: false };
  } catch (error) {
    const { code, fields } = context.explain(error);
    if (cursor === undefined || (code !== "cursor_invalid" && fields.cursor === undefined)) throw error;
    return { ...(await read(undefined)), isAnew: true };
  }
}

/** What a name leads to; where there is no such thing, `problem` says so. */
export async function named<T>(
  { context }: Args,
  looking: Promise<T>,
): Promise<{ found: T; problem: undefined } | { found: undefined; problem: string }> {
  try {
    return { found: await looking, problem: undefined };
  } catch (error) {
    if ((error as { cause?: { code?: unknown } }).cause?.code !== "not_found") throw error;
    return { found: undefined, problem: context.explain(error).message };
  }
}

/**
 * Runs what an action does. A refusal that the person can mend comes back as `errors`, with its status; any other as in `load`.
 */
export async function act<T>({ context, request }: Args, run: (api: Args["context"]["api"]) => Promise<T>) {
  try {
    return { done: true as const, value: await run(context.api) };
  } catch (error) {
    if (isOwnAnswer(error)) throw error;
    const { status, message, fields, code, details } = context.explain(error);
    if (code === "unauthenticated" || status === 404 || status >= 500)
      throw refusal({ context, request }, error, { told: { ofForm: true } });
    const version = typeof details.version === "string" ? details.version : undefined;
    const isElsewhere = details.reason === "elsewhere" || undefined;
    const errors: FormErrors = { message, fields, code, requestId: context.requestId, version, isElsewhere };
    return { done: false as const, errors, response: data({ errors }, { status }) };
  }
}

/** What a page itself throws, as a Response or by Remix's `data()`: its refusal, and no failure. */
const isOwnAnswer = (error: unknown): error is Response =>
  error instanceof Response || (error as { type?: unknown } | null)?.type === "DataWithResponseInit";

/** Of a file, which has no ErrorBoundary. */
const inWords = (message: string, status: number): Response =>
  new Response(`${message}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });

function refusal(
  { context, request }: Pick<Args, "context" | "request">,
  error: unknown,
  { offeredAt, told }: { offeredAt?: string | undefined; told?: object },
): Response {
  if (isOwnAnswer(error)) return error;
  const { code, status, message, details } = context.explain(error);
  if (details.reason === "second_factor_required") return redirect("/account/two-factor?required");
  if (code === "unauthenticated") {
    const { pathname, search } = new URL(request.url);
    const to = offeredAt ?? pathname.replace(/\.data$/, "") + search;
    return redirect(`/login?to=${encodeURIComponent(to)}${request.method === "POST" ? "&unsent" : ""}`);
  }
  if (offeredAt !== undefined) return inWords(message, status);
  return Response.json({ message, code, requestId: context.requestId, ...told }, { status });
}

/**
 * A form's values as plain strings; a name that ends in [] is a list. Forms break lines by CRLF, which would count twice where
 * scripts, and whoever typed, count one. In one pass: a body has room for 60,000 names, and to
 * look each of them up among all would take half a minute.
 */
export function formValues(form: FormData): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of form) {
    if (typeof value !== "string") continue;
    const text = value.replace(/\r\n?/g, "\n");
    const all = values.get(name);
    if (all) all.push(text);
    else values.set(name, [text]);
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => (name.endsWith("[]") ? [name.slice(0, -2), all] : [name, all[0]!])),
  );
}

/**
 * Only a path of our own, so that a link to the log-in cannot lead elsewhere: read as browsers read it, without its dot
 * segments, since `/x/..//` is the beginning of another host's address.
 */
export function ownPath(to: string | null, otherwise: string): string {
  // Printable ASCII, and no backslash, which browsers take for a slash.
  if (to === null || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(to)) return otherwise;
  const { pathname, search, hash } = new URL(to, "http://own.invalid");
  return pathname.startsWith("//") ? otherwise : pathname + search + hash;
}

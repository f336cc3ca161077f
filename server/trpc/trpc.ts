// Who may call what: the context of a tRPC call, the gates that narrow its actor, and how errors leave.
import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import {
  type Actor,
  actingAs,
  type Core,
  type Ctx,
  contextFor,
  type Member,
  type Merchant,
  type Owner,
  type SignedIn,
} from "../context";
import { asTold, DomainError } from "../errors";
import { MOST_TOLD, unseenCharacters } from "../services/fields";
import * as memberships from "../services/memberships";
import * as merchants from "../services/merchants";
import type { RunTool, ToolRun } from "../services/playground";
import type { Session, SignedInAccount } from "../sessions";

/** One call, from a page on the server or from a browser. */
export interface CallContext {
  core: Core;
  now: Date;
  requestId: string;
  /** The client's address, proxies taken into account. */
  address: string;
  userAgent: string | undefined;
  visitor: { session: Session; account: SignedInAccount } | null;
  /** What signing up gave to this browser. */
  signUpProof: string | undefined;
  /** The log-in of this browser that waits for its code. */
  logInToken: string | undefined;
  /** The address that was just confirmed in this browser, until somebody logs in. */
  confirmedAddress: string | undefined;
  /** Whether the desk is closed to operators without a second factor. */
  operatorsNeedSecondFactor: boolean;
  /** This browser's name, if the account as it stands was logged in with it. */
  knownDevice: (account: { email: string; passwordVersion: number }) => string | undefined;
  /** Sends a Set-Cookie header with the answer. */
  setCookie: (header: string) => void;
  /** Runs a tool as the member's consumer, through the endpoint's own code. */
  runTool: (actor: Member, call: RunTool) => Promise<ToolRun>;
}

const t = initTRPC.context<CallContext>().create({
  errorFormatter: ({ shape, error, ctx }) => {
    const told = explain(error);
    return {
      message: told.message,
      code: shape.code,
      data: { ...told, request_id: ctx?.requestId, httpStatus: told.status },
    };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

export interface Explained {
  /** A code of `server/errors.ts`, `unauthenticated` or `internal_error`. */
  code: string;
  status: number;
  /** Safe to show. */
  message: string;
  /** By field, what is wrong with it. */
  fields: Record<string, string>;
  details: Record<string, unknown>;
}

/** Characters: a message may name whatever was sent. */
const MOST_SAID = 300;

/** What a caller may know of an error. One that is not ours is an internal error, of which nothing is told. */
export function explain(error: unknown): Explained {
  const thrown = error instanceof TRPCError && error.cause ? error.cause : error;
  // What tRPC refuses by itself is no outage: the connection of a caller may break off while it is read.
  const isOurs = !(error instanceof TRPCError) || error.code === "INTERNAL_SERVER_ERROR";
  const cause = isOurs ? asTold(thrown) : thrown;
  if (cause instanceof DomainError) {
    return {
      code: cause.code,
      status: cause.face.http,
      message: cause.message,
      fields: fieldsOf(cause),
      details: cause.details,
    };
  }
  if (cause instanceof z.ZodError) {
    const told = cause.issues.slice(0, MOST_TOLD).toReversed();
    const fields = Object.fromEntries(told.map(({ path, message }) => [path.join("."), message.slice(0, MOST_SAID)]));
    return { code: "invalid_input", status: 400, message: "Some fields need another look.", fields, details: {} };
  }
  const known = error instanceof TRPCError ? protocolErrors[isNoText(cause) ? "BAD_REQUEST" : error.code] : undefined;
  const [code, status, message] = known ?? [
    "internal_error",
    500,
    "Something went wrong on our side. Try again; if it happens again, send us the request id.",
  ];
  return { code, status, message, fields: {}, details: {} };
}

/** Was a text refused for a NUL, which PostgreSQL does not take (22021)? Nothing that is stored can have such a name. */
const isNoText = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === "22021" || isNoText(error.cause));

const protocolErrors: Partial<Record<TRPCError["code"], [code: string, status: number, message: string]>> = {
  UNAUTHORIZED: ["unauthenticated", 401, "Log in first."],
  NOT_FOUND: ["not_found", 404, "There is no such procedure."],
  BAD_REQUEST: ["bad_request", 400, "The request could not be read."],
  PARSE_ERROR: ["bad_request", 400, "The request is not JSON."],
  METHOD_NOT_SUPPORTED: ["bad_request", 405, "Use GET for queries and POST for mutations."],
  UNSUPPORTED_MEDIA_TYPE: ["bad_request", 415, "Send JSON."],
  PAYLOAD_TOO_LARGE: ["bad_request", 413, "The request is too large."],
};

function fieldsOf({ details, message }: DomainError): Record<string, string> {
  const issues = Array.isArray(details.issues) ? (details.issues as { path: string; message: string }[]) : [];
  if (issues.length > 0) return Object.fromEntries(issues.map((issue) => [issue.path, issue.message]));
  return typeof details.field === "string" ? { [details.field]: message } : {};
}

const opAs = <A extends Actor>({ core, now, requestId }: CallContext, actor: A): Ctx<A> =>
  contextFor(core, actor, requestId, now);

type Visitor = NonNullable<CallContext["visitor"]>;
interface ActsFor {
  consumers?: ReturnType<typeof memberships.mine>;
  merchants?: ReturnType<typeof merchants.mine>;
}
/** By request: whom its visitor acts for. A page has several loaders, each with a gate that asks. */
const acting = new WeakMap<Visitor, ActsFor>();

function actsFor(visitor: Visitor): ActsFor {
  const known = acting.get(visitor) ?? {};
  acting.set(visitor, known);
  return known;
}

interface Acting {
  op: Ctx<SignedIn>;
  visitor: Visitor;
}
// Wrapped in a promise: a query of Drizzle's is sent anew each time somebody awaits it.
/** The consumers that the person is a member of: asked once a request, and again after a change. */
export const consumersOf = ({ op, visitor }: Acting) =>
  (actsFor(visitor).consumers ??= Promise.resolve(memberships.mine(op)));
/** The merchants that the person acts for: likewise. */
export const merchantsOf = ({ op, visitor }: Acting) =>
  (actsFor(visitor).merchants ??= Promise.resolve(merchants.mine(op)));

/** Under every gate: what people send to be stored must have no characters that its readers could not see. */
const legible = t.procedure.use(async ({ ctx, type, getRawInput, next }) => {
  if (type !== "mutation") return next();
  const issues = unseenCharacters(await getRawInput());
  if (issues.length > 0)
    throw new DomainError("invalid_input", "Some fields need another look.", { details: { issues } });
  const result = await next();
  if (ctx.visitor) acting.delete(ctx.visitor);
  return result;
});

/** Everybody. Listed by name in the permission sweep. */
export const anyone = legible.use(({ ctx, next }) => next({ ctx: { op: opAs(ctx, { kind: "anonymous" }) } }));

/** Whoever has logged in. */
export const signedIn = legible.use(({ ctx, next }) => {
  const visitor = requireVisitor(ctx);
  return next({ ctx: { op: opAs(ctx, { kind: "signed_in", accountId: visitor.account.id }), visitor } });
});

/** Owner, developer or reviewer of the consumer they look at. Membership and its end date are asked at each request. */
export const member = signedIn.use(async ({ ctx, next }) => {
  const mine = await consumersOf(ctx);
  const chosen = mine.find((membership) => membership.consumerId === ctx.visitor.session.consumerId) ?? mine[0];
  if (!chosen) throw new DomainError("not_found", "You have no consumer yet. Apply for access first.");
  const actor: Member = {
    kind: "member",
    accountId: ctx.visitor.account.id,
    consumerId: chosen.consumerId,
    role: chosen.role,
  };
  return next({ ctx: { op: opAs(ctx, actor) } });
});

/** Those members who may act on keys, terms and production. */
export const owner = member.use(({ ctx: { op }, next }) => {
  const { actor } = op;
  if (!isOwner(actor)) throw new DomainError("forbidden", "Only an owner may do this. Ask one of them.");
  return next({ ctx: { op: actingAs(op, actor) } });
});

const isOwner = (actor: Member): actor is Owner => actor.role === "owner";

export const operator = signedIn.use(({ ctx, next }) => {
  if (!ctx.visitor.account.isOperator)
    throw new DomainError("forbidden", "Only an operator may do this. Log in with an operator's account.");
  if (ctx.operatorsNeedSecondFactor && !ctx.visitor.account.hasSecondFactor)
    throw new DomainError("forbidden", "Operators need two-factor authentication here. Set it up in your account.", {
      details: { reason: "second_factor_required" },
    });
  return next({ ctx: { op: opAs(ctx, { kind: "operator", accountId: ctx.visitor.account.id }) } });
});

/** Whoever acts for a merchant: for the one that they chose. Asked at each request. */
export const merchant = signedIn.use(async ({ ctx, next }) => {
  const mine = await merchantsOf(ctx);
  const chosen = mine.find(({ merchantId }) => merchantId === ctx.visitor.session.merchantId) ?? mine[0];
  if (!chosen) throw new DomainError("forbidden", "You act for no merchant. Ask an operator to invite you.");
  const actor: Merchant = { kind: "merchant", accountId: ctx.visitor.account.id, merchantId: chosen.merchantId };
  return next({ ctx: { op: opAs(ctx, actor) } });
});

/**
 * For forms that act on whoever the person is working for, or on their account: in another tab they may have switched
 * since, or logged in as another, or they may no longer be with the one that the page was about.
 * @param other what was shown, where it is not this
 * @throws DomainError conflict
 */
export function requireSame(actsFor: string, shown: string, other = "one from the one you are viewing now"): void {
  if (actsFor === shown) return;
  throw new DomainError(
    "conflict",
    `Nothing was done: this page was about a different ${other}. Reload it and check whose it is.`,
    { details: { reason: "elsewhere" } },
  );
}

function requireVisitor(ctx: CallContext) {
  if (!ctx.visitor) throw new TRPCError({ code: "UNAUTHORIZED" });
  return ctx.visitor;
}

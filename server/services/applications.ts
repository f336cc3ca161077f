// The application form: one an account, one a consumer. Submitting makes the consumer, owned by the account, and runs the
// sandbox approval rule in the same transaction.
import { isDeepStrictEqual } from "node:util";
import { eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { applications, consumers, members } from "../../db/schema/consumers";
import { actingAs, type Ctx, type Member, type Owner, type SignedIn } from "../context";
import { DomainError, notFound } from "../errors";
import { Email } from "./accounts";
import { lock } from "./accounts/account";
import * as audit from "./audit";
import { DEMO_CONSUMER } from "./demo-consumer";
import { count, typed, typedWebsite } from "./fields";
import { fold } from "./fold";
import * as keys from "./keys";
import * as mail from "./mail";
import { requireStillOwner } from "./owners";
import * as settings from "./settings";
import * as terms from "./terms";

const ApplicationForm = z.strictObject({
  productName: typed(100, "Enter the name of your agent or product."),
  company: typed(200, "Enter your company's name."),
  website: typedWebsite(500, "Enter your website, such as example.com."),
  platform: typed(100, "Enter where the agent runs, such as ChatGPT, a web app or WhatsApp."),
  expectedRequestsPerDay: count("how many requests a day you expect", 1, 1_000_000_000),
  technicalContactEmail: Email,
  shopperUse: typed(5000, "Enter how shoppers will use it."),
});

export const EditApplication = ApplicationForm.extend({
  /** When it was last changed, as it was shown. */
  updatedAt: z.coerce.date().optional(),
});

const ACCEPT = "Accept the data-use terms to continue.";

export const SubmitApplication = ApplicationForm.extend({
  /** The version of the data-use terms that was shown beside the tick-box. */
  acceptedTerms: z.string(ACCEPT).min(1, ACCEPT).max(100, ACCEPT),
});

export interface Submitted {
  consumerId: string;
  slug: string;
  state: "sandbox" | "under_review";
  /** 'Sandbox key', on automatic approval: shown once, in this very response. */
  key: keys.IssuedKey | undefined;
}

/**
 * @throws DomainError not_found (the account is gone), conflict (it has applied already), terms_outdated (other terms were
 *   shown than are current)
 */
export async function submit(ctx: Ctx<SignedIn>, input: z.infer<typeof SubmitApplication>): Promise<Submitted> {
  const { acceptedTerms, ...form } = input;
  return ctx.db.transaction(async (tx) => {
    const account = await lock(tx, ctx.actor.accountId);
    const [earlier] = await tx
      .select({ id: applications.id })
      .from(applications)
      .where(eq(applications.accountId, account.id));
    if (earlier) throw new DomainError("conflict", "You have already applied: there is one application per account.");
    const rules = await settings.current({ db: tx });
    const approved = await isApproved(rules.approvalRule, account.email, form.website);
    const [consumer] = await tx
      .insert(consumers)
      .values({
        slug: await freeSlug(tx, form),
        name: form.productName,
        state: approved ? "sandbox" : "under_review",
        scopes: rules.sandboxScopes,
        rateLimit: rules.sandboxRateLimit,
        maxKeys: rules.sandboxMaxKeys,
        decidedAt: approved ? ctx.now : null,
      })
      .returning();
    const consumerId = consumer!.id;
    await tx.insert(members).values({ consumerId, accountId: account.id, role: "owner" });
    await tx.insert(applications).values({ ...form, accountId: account.id, consumerId });
    const actor: Owner = { kind: "member", accountId: account.id, consumerId, role: "owner" };
    const owner = { ...actingAs(ctx, actor), db: tx };
    await terms.accept(owner, { version: acceptedTerms });
    await audit.record(ctx, tx, {
      action: "application.submit",
      target: ["consumer", consumerId],
      after: { ...impersonal(form), approved },
    });
    const template = approved ? "application-approved" : "application-received";
    await mail.send(ctx, tx, {
      to: account.email,
      template,
      data: { name: account.name, consumerId, productName: form.productName },
    });
    const key = approved ? await keys.issue(owner, { consumerId, name: "Sandbox key" }) : undefined;
    return { consumerId, slug: consumer!.slug, state: approved ? "sandbox" : "under_review", key };
  });
}

export type Application = z.infer<typeof ApplicationForm> & { submittedAt: Date; updatedAt: Date };

/** What the audit may keep for good, since it outlives the person: no address. */
const impersonal = ({ technicalContactEmail: _, ...form }: z.infer<typeof ApplicationForm>) => form;

const columns = {
  productName: applications.productName,
  company: applications.company,
  website: applications.website,
  platform: applications.platform,
  expectedRequestsPerDay: applications.expectedRequestsPerDay,
  technicalContactEmail: applications.technicalContactEmail,
  shopperUse: applications.shopperUse,
  submittedAt: applications.createdAt,
  updatedAt: applications.updatedAt,
};

/** The application of the member's consumer. @throws DomainError not_found */
export async function get(ctx: Ctx<Member>): Promise<Application> {
  const [application] = await ctx.db
    .select(columns)
    .from(applications)
    .where(eq(applications.consumerId, ctx.actor.consumerId));
  if (!application) throw notFound("application");
  return application;
}

/** Has this person applied already? */
export async function hasApplied(ctx: Ctx<SignedIn>): Promise<boolean> {
  return (await ctx.db.$count(applications, eq(applications.accountId, ctx.actor.accountId))) > 0;
}

/** The states of a platform whose application can be changed. */
const open: string[] = ["under_review", "sandbox"];

/**
 * Changes the application, while it is under review or its platform in sandbox. Saved as it is, it stays as it is.
 * @throws DomainError forbidden (an owner no more), conflict (production access was asked for, or given; changed since it
 *   was shown)
 */
export async function edit(ctx: Ctx<Owner>, given: z.infer<typeof EditApplication>): Promise<void> {
  const { updatedAt: shown, ...input } = given;
  const { consumerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    // The consumer first, as whoever decides does: it changes before the decision, or not at all.
    const ours = eq(consumers.id, consumerId);
    const [consumer] = await tx.select({ state: consumers.state }).from(consumers).where(ours).for("update");
    await requireStillOwner(tx, ctx.actor);
    const mine = eq(applications.consumerId, consumerId);
    const [found] = await tx.select(columns).from(applications).where(mine).for("update");
    if (!found || !consumer || !open.includes(consumer.state))
      throw new DomainError("conflict", "The application can be changed only under review and in sandbox.");
    if (shown && found.updatedAt.getTime() !== shown.getTime()) {
      throw new DomainError(
        "conflict",
        "The application was changed in the meantime, so your changes were not saved. Saving again replaces those changes with yours.",
      );
    }
    const { submittedAt: _, updatedAt: __, ...before } = found;
    if (isDeepStrictEqual(before, input)) return;
    await tx
      .update(applications)
      // The time of its record, by which a refused approval knows who changed it.
      .set({ ...input, updatedAt: raw`now()` })
      .where(mine);
    await tx.update(consumers).set({ name: input.productName }).where(ours);
    await audit.record(ctx, tx, {
      action: "application.edit",
      target: ["consumer", consumerId],
      before: impersonal(before),
      after: impersonal(input),
    });
  });
}

/** The sandbox approval rule: who need not wait for an operator. */
async function isApproved(rule: settings.Settings["approvalRule"], email: string, website: string): Promise<boolean> {
  if (rule !== "automatic_domain") return rule === "automatic_all";
  // What it knows of domains takes a fifteenth of a start.
  const { domainsMatch } = await import("./domain-match");
  return domainsMatch(email, website);
}

const latinWords = (text: string) =>
  fold(text)
    .match(/[a-z0-9]+/g)
    ?.join("-")
    .slice(0, 50)
    .replace(/-$/, "");

/**
 * From the product's name, or where that has no Latin letters the company's, or else the website's, with a number behind it where
 * others have it already, or it is the demo's, loaded or not. Merchants read it in their links (utm_campaign).
 */
async function freeSlug(
  tx: Database,
  form: { productName: string; company: string; website: string },
): Promise<string> {
  const domain = new URL(form.website).hostname.replace(/^www\./, "");
  const base = latinWords(form.productName) ?? latinWords(form.company) ?? latinWords(domain)!;
  // Of two at once the second sees the first one's. "Finder" and "Finder 2" may both come to finder-2: they share a lock.
  const family = base.replace(/(-[0-9]+)+$/, "");
  await tx.execute(raw`select pg_advisory_xact_lock(hashtextextended(${`consumer-slug:${family}`}, 0))`);
  const taken = await tx
    .select({ slug: consumers.slug })
    .from(consumers)
    .where(raw`${consumers.slug} = ${base} or ${consumers.slug} ~ ${`^${base}-[0-9]+$`}`);
  const slugs = new Set([DEMO_CONSUMER, ...taken.map((row) => row.slug)]);
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!slugs.has(slug)) return slug;
  }
}

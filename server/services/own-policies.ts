// A merchant's policies and FAQ, one by one. Agents see a change at their next call.
import { and, eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { policies } from "../../db/schema/policies";
import type { Ctx, Merchant } from "../context";
import { DomainError, notFound } from "../errors";
import * as audit from "./audit";
import { typed, unlessEmpty, Website } from "./fields";
import { lockOwnStore, type OwnStore, requireOwnStore, StoreSlug } from "./ownership";
import { policyTypes, requireSearchable } from "./policies";
import { changedMeanwhile, notRemoved, removedMeanwhile, requireAsShown, Shown } from "./shown";

/** As many as a file may have. */
const MOST = 500;

interface OwnPolicy {
  id: string;
  question: string;
  answer: string;
  type: (typeof policyTypes)[number];
  url: string | null;
  updatedAt: Date;
  /** Another one once anything of it was changed. */
  version: string;
}

/** All of a store's, by type and question. @throws DomainError not_found */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof OwnStore>): Promise<OwnPolicy[]> {
  const { sql, actor } = ctx;
  await requireOwnStore(ctx, input);
  return sql<OwnPolicy[]>`
    select p.id, p.question, p.answer, p.policy_type as type, p.source_url as url, p.updated_at as "updatedAt",
      md5(p::text) as version
    from stores s join policies p on p.store_id = s.id
    where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}
    order by array_position(${[...policyTypes]}::text[], p.policy_type), p.question, p.id`;
}

export const SavePolicy = z.strictObject({
  store: StoreSlug,
  /** The one that is changed; a new one without. */
  id: unlessEmpty(z.uuid()),
  shown: Shown,
  question: typed(500, "Enter the question, as a shopper would ask it."),
  answer: typed(20_000, "Enter the answer."),
  type: z.enum(policyTypes, "Choose what it is about."),
  url: unlessEmpty(Website),
});

/**
 * Makes a policy, unless the store has it word for word, or changes one; it is as of now.
 * @throws DomainError not_found, invalid_input (all of the store's are too long together), conflict (500 are the most; it was
 *   changed or removed meanwhile)
 */
export async function save(ctx: Ctx<Merchant>, input: z.infer<typeof SavePolicy>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    const row = {
      storeId: store.id,
      question: input.question,
      answer: input.answer,
      policyType: input.type,
      sourceUrl: input.url ?? null,
      updatedAt: ctx.now,
    };
    if (input.id === undefined) {
      // A form that is sent twice makes one.
      const { question, answer, policyType, sourceUrl } = row;
      const same = and(
        eq(policies.question, question),
        eq(policies.answer, answer),
        eq(policies.policyType, policyType),
        raw`${policies.sourceUrl} is not distinct from ${sourceUrl}`,
      );
      if ((await tx.$count(policies, and(eq(policies.storeId, store.id), same))) > 0) return;
      if ((await tx.$count(policies, eq(policies.storeId, store.id))) >= MOST) {
        throw new DomainError("conflict", `A store has at most ${MOST} policies. Remove one that is out of date.`);
      }
      await tx.insert(policies).values(row);
      await requireSearchable(tx, store.id, "answer");
      await audit.record(ctx, tx, { action: "policy.create", target: ["store", store.id], after: row });
      return;
    }
    const here = isThis(store.id, input.id);
    const [found] = await find(tx, here);
    if (!found) throw removedMeanwhile("policy");
    const { version, ...before } = found;
    requireAsShown(input.shown, version, changedMeanwhile("policy"));
    // What was saved as it stood has not changed by that.
    const parts = ["question", "answer", "policyType", "sourceUrl"] as const;
    if (parts.every((part) => before[part] === row[part])) return;
    await tx.update(policies).set(row).where(here);
    // A change that makes it no longer is fine, however long they all are.
    if (lengthOf(row) > lengthOf(before)) await requireSearchable(tx, store.id, "answer");
    await audit.record(ctx, tx, { action: "policy.change", target: ["store", store.id], before, after: row });
  });
}

const lengthOf = ({ question, answer }: { question: string; answer: string }) => question.length + answer.length;

/** Without what is only for searching. */
const told = {
  question: policies.question,
  answer: policies.answer,
  policyType: policies.policyType,
  sourceUrl: policies.sourceUrl,
  updatedAt: policies.updatedAt,
};

const isThis = (storeId: string, id: string) => and(eq(policies.id, id), eq(policies.storeId, storeId));

const find = (tx: Database, here: ReturnType<typeof isThis>) =>
  tx
    .select({ ...told, version: raw<string>`md5(${policies}::text)` })
    .from(policies)
    .where(here);

export const RemovePolicy = z.strictObject({ store: StoreSlug, id: z.uuid(), shown: Shown });

/** @throws DomainError not_found, conflict (it was changed meanwhile) */
export async function remove(ctx: Ctx<Merchant>, input: z.infer<typeof RemovePolicy>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    const here = isThis(store.id, input.id);
    const [found] = await find(tx, here);
    if (!found) throw notFound("policy");
    const { version, ...before } = found;
    requireAsShown(input.shown, version, notRemoved("policy"));
    await tx.delete(policies).where(here);
    await audit.record(ctx, tx, { action: "policy.remove", target: ["store", store.id], before });
  });
}

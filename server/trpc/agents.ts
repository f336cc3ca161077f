import * as pipeline from "../pipeline";
import * as decisions from "../services/agent-decisions";
import * as agents from "../services/agents";
import { OwnStore } from "../services/ownership";
import { merchant, router } from "./trpc";

/** Which platforms may read a merchant's store, and the merchant's say in it. */
export const agentsRouter = router({
  count: merchant.input(OwnStore).query(({ ctx: { op }, input }) => agents.count(op, input)),
  list: merchant.input(agents.ListAgents).query(({ ctx: { op }, input }) => agents.list(op, input)),
  get: merchant.input(agents.OnePlatform).query(({ ctx: { op }, input }) => agents.get(op, input)),
  reads: merchant.input(agents.OnePlatform).query(({ ctx: { op }, input }) => agents.readsOf(op, input)),
  /** What the platform is answered about the store: through the pipeline, but neither counted nor recorded. */
  preview: merchant.input(agents.PreviewAgent).query(async ({ ctx: { op }, input: { query, ...pair } }) => {
    const { reader, storeId } = await agents.readerOf(op, pair);
    const search = { store_ids: [storeId], limit: 5, ...(query && { query }) };
    const [info, found] = await Promise.all([
      pipeline.preview(reader, "get_store_info", { store_id: storeId }),
      pipeline.preview(reader, "search_products", search),
    ]);
    return { info, found };
  }),

  block: merchant.input(decisions.DecideAgent).mutation(({ ctx: { op }, input }) => decisions.block(op, input)),
  unblock: merchant.input(decisions.DecideAgent).mutation(({ ctx: { op }, input }) => decisions.unblock(op, input)),
  grant: merchant.input(decisions.DecideAgent).mutation(({ ctx: { op }, input }) => decisions.grant(op, input)),
  withdraw: merchant.input(decisions.DecideAgent).mutation(({ ctx: { op }, input }) => decisions.withdraw(op, input)),
});

import { z } from "zod";
import * as playground from "../services/playground";
import { catalogue } from "../tools/catalogue";
import { member, requireSame, router } from "./trpc";

/** A call, and whom the page that sent it is about. */
const RunAs = playground.RunTool.extend({ consumerId: z.uuid() });

export const playgroundRouter = router({
  read: member.query(async ({ ctx: { op } }) => {
    const page = await playground.read(op);
    const tools = catalogue(page.demoStoreId).map(({ outputSchema: _, ...tool }) => tool);
    return { ...page, tools };
  }),
  run: member.input(RunAs).mutation(({ ctx: { op, runTool }, input: { consumerId, ...call } }) => {
    requireSame(op.actor.consumerId, consumerId);
    return runTool(op.actor, call);
  }),
});

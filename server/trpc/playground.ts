import * as playground from "../services/playground";
import { catalogue } from "../tools/catalogue";
import { member, router } from "./trpc";

export const playgroundRouter = router({
  read: member.query(async ({ ctx: { op } }) => {
    const page = await playground.read(op);
    const tools = catalogue(page.demoStoreId).map(({ outputSchema: _, ...tool }) => tool);
    return { ...page, tools };
  }),
  run: member.input(playground.RunTool).mutation(({ ctx: { op, runTool }, input }) => runTool(op.actor, input)),
});

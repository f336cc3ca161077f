import * as docs from "../docs";
import { anyone, router } from "./trpc";

export const docsRouter = router({
  overview: anyone.query(({ ctx: { op } }) => docs.overview(op)),
  tool: anyone.input(docs.GetTool).query(({ ctx: { op }, input }) => docs.tool(op, input)),
});

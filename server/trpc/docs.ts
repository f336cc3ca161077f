import { z } from "zod";
import * as docs from "../docs";
import { anyone, router } from "./trpc";

export const docsRouter = router({
  overview: anyone.query(({ ctx: { op } }) => docs.overview(op)),
  tool: anyone
    .input(z.strictObject({ name: z.string().max(100) }))
    .query(({ ctx: { op }, input }) => docs.tool(op, input)),
});

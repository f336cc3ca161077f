import * as merchants from "../services/merchants";
import { merchant, router } from "./trpc";

/** What merchants do with their own. */
export const merchantRouter = router({
  current: merchant.query(({ ctx: { op } }) => merchants.current(op)),
});

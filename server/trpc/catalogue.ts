import { badRows } from "../services/feeds/bad-rows";
import * as loads from "../services/feeds/loads";
import * as source from "../services/feeds/source";
import { merchant, router } from "./trpc";

/** What merchants do with the catalogues of their stores. */
export const catalogueRouter = router({
  stores: merchant.query(({ ctx: { op } }) => loads.stores(op)),
  get: merchant.input(loads.StoreRef).query(({ ctx: { op }, input }) => loads.get(op, input)),
  history: merchant.input(loads.History).query(({ ctx: { op }, input }) => loads.history(op, input)),
  report: merchant.input(loads.LoadRef).query(({ ctx: { op }, input }) => loads.report(op, input)),
  upload: merchant.input(loads.Upload).mutation(({ ctx: { op }, input }) => loads.upload(op, input)),
  restore: merchant.input(loads.RestoreLoad).mutation(({ ctx: { op }, input }) => loads.restore(op, input)),
  /** Gives lines of CSV as they are found: for callers in this process. */
  badRows: merchant.input(loads.LoadRef).query(({ ctx: { op }, input }) => badRows(op, input)),
  source: merchant.input(loads.StoreRef).query(({ ctx: { op }, input }) => source.find(op, input)),
  setSource: merchant.input(source.SetSource).mutation(({ ctx: { op }, input }) => source.set(op, input)),
  removeSource: merchant.input(source.RemoveSource).mutation(({ ctx: { op }, input }) => source.remove(op, input)),
  fetchNow: merchant.input(loads.StoreRef).mutation(({ ctx: { op }, input }) => source.fetchNow(op, input)),
});

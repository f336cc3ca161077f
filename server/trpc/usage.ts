import { tools } from "../pipeline";
import * as failures from "../services/failures";
import * as keys from "../services/keys";
import * as requests from "../services/requests";
import * as usage from "../services/usage-report";
import { member, operator, router } from "./trpc";

export const usageRouter = router({
  read: member.input(usage.ReadUsage).query(({ ctx: { op }, input }) => usage.read(op, input)),
  csv: member.input(usage.ExportUsage).query(({ ctx: { op }, input }) => usage.exportCsv(op, input)),
  readAny: operator.input(usage.ReadAnyUsage).query(({ ctx: { op }, input }) => usage.readAny(op, input)),
  csvAny: operator.input(usage.ExportAnyUsage).query(({ ctx: { op }, input }) => usage.exportAnyCsv(op, input)),
});

const toolNames = tools.map(({ name }) => name);

export const requestsRouter = router({
  list: member.input(requests.ListRequests).query(({ ctx: { op }, input }) => requests.list(op, input)),
  get: member.input(requests.GetRequest).query(({ ctx: { op }, input }) => requests.get(op, input)),
  /** What the log can be filtered by. */
  filters: member.query(async ({ ctx: { op } }) => {
    const all = await keys.list(op, { consumerId: op.actor.consumerId });
    return { tools: toolNames, keys: all.map(({ id, name, end }) => ({ id, name: `${name} (…${end})` })) };
  }),
  listAny: operator.input(requests.ListAnyRequests).query(({ ctx: { op }, input }) => requests.listAny(op, input)),
  getAny: operator.input(requests.GetRequest).query(({ ctx: { op }, input }) => requests.getAny(op, input)),
  anyFilters: operator.query(() => ({ tools: toolNames })),
  failures: operator.query(({ ctx: { op } }) => failures.recent(op)),
});

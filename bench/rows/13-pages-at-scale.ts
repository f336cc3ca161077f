// 13: how soon the server answers with every page that grows, where a lot has grown (bench/support/crowd.ts).
import * as demo from "../../server/services/demo";
import type { Bench, Line, Row } from "../support/bench";
import { crowd } from "../support/crowd";
import { answerTimes, logIn } from "../support/pages";
import { median, percentile } from "../support/stats";

export const pagesAtScaleRow: Row = { number: 13, run };

const SLOWEST_MS = 200;
const VIEWS = 20;

async function run(bench: Bench): Promise<Line[]> {
  const database = await bench.place.database("crowd", (filling) => crowd(filling, bench.say));
  const aisle = await bench.place.serve(database);
  try {
    const { sign_ins } = await demo.describe(database.as({ kind: "system" }), aisle.url);
    const [request] = await database.sql<[{ id: string }]>`
      select request_id as id from usage_events where consumer_id = (select id from consumers where slug = 'demo') order by at desc offset 1000 limit 1`;
    const [store] = await database.sql<[{ id: string }]>`select id from stores where slug = 'ridgeline-supply'`;
    const lines: Line[] = [];
    for (const [role, paths] of Object.entries(pagesOf(request.id, store.id))) {
      const cookie = await logIn(aisle, sign_ins.find((one) => one.role === role)!);
      for (const path of paths) {
        const all: number[] = [];
        const medians: number[] = [];
        for (let round = 0; round < bench.rounds; round++) {
          const { times } = await bench.watched(aisle, async () => ({
            times: await answerTimes(`${aisle.url}${path}`, cookie, VIEWS),
          }));
          all.push(...times);
          medians.push(median(times));
        }
        bench.say(`  ${role} ${path}: first ${all[0]!.toFixed(0)} ms`);
        lines.push({
          row: "13",
          work: `${path} (${role}): server time, p50`,
          measured: `${median(all).toFixed(0)} ms, p95 ${percentile(all, 0.95).toFixed(0)}, first ${all[0]!.toFixed(0)}`,
          values: medians,
          unit: " ms",
          bar: { most: SLOWEST_MS },
        });
      }
    }
    return lines;
  } finally {
    await aisle.stop();
  }
}

const pagesOf = (requestId: string, storeId: string) => ({
  owner: [
    "/console",
    "/console/keys",
    "/console/coverage",
    "/console/coverage?q=store+77",
    "/console/playground",
    "/console/usage?range=1h",
    "/console/usage?range=24h",
    "/console/usage?range=7d",
    "/console/usage?range=90d",
    "/console/requests",
    "/console/requests?tool=get_offers",
    `/console/requests/${requestId}`,
    "/console/doctor",
  ],
  operator: [
    "/admin",
    "/admin/consumers",
    "/admin/consumers?q=platform-99",
    "/admin/consumers/demo",
    "/admin/consumers/demo/usage",
    "/admin/consumers/demo/history",
    "/admin/merchants",
    "/admin/merchants?q=9999",
    "/admin/merchants?q=store",
    "/admin/merchants?q=st",
    "/admin/usage?range=90d",
    "/admin/requests",
    "/admin/audit",
    "/admin/settings",
  ],
  merchant: [
    "/merchant",
    "/merchant/agents",
    "/merchant/agents/demo",
    "/merchant/notifications",
    `/merchant/catalogue/${storeId}`,
  ],
});

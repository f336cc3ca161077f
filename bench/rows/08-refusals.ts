// 8: to refuse is cheaper than to answer, so that refusing cannot be used to wear us out.
import { randomBytes } from "node:crypto";
import { mint } from "../../server/services/key-format";
import { type Bench, byTurns, type Line, type Measured, perRound, type Row, wrk, wrkCounted } from "../support/bench";
import { type Caller, call, makeCaller } from "../support/callers";
import type { Sent } from "../support/wrk";
import { CONNECTIONS, cpu, rate } from "./01-naked-peers";

export const refusalsRow: Row = { number: 8, run };

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const args = JSON.parse(scene.calls[0]!.body).params.arguments;
  const spent: Caller = await makeCaller(scene.database, "platform-spent", 1);
  const refusals = {
    missing: { work: "401: no key", status: 401, mayPass: 0, requests: [call(undefined, "get_store_info", args)] },
    unknown: {
      work: "401: keys that nobody has, each from an address of its own",
      status: 401,
      mayPass: 0,
      requests: guesses(args),
    },
    limited: {
      work: "429: a consumer that has spent its limit",
      status: 429,
      mayPass: 1,
      requests: [call(spent.key, "get_store_info", args)],
    },
  };
  // Behind a proxy, so that a guess can come from any address.
  const aisle = await bench.place.serve(scene.database, { TRUST_PROXY: "1" });
  try {
    await fetch(`${aisle.url}/api/mcp`, post(refusals.limited.requests[0]!));
    const names = Object.keys(refusals) as (keyof typeof refusals)[];
    const contenders = Object.fromEntries(
      names.map((name) => [
        name,
        async (seconds?: number) => {
          const { requests, status, mayPass } = refusals[name];
          const load = { connections: CONNECTIONS, requests, expect: "refusals", mayPass } as const;
          const measured = await wrk(bench, aisle, load)(seconds);
          const answer = await fetch(`${aisle.url}/api/mcp`, post(requests.at(-1)!));
          if (answer.status !== status) throw new Error(`Answered ${answer.status} instead of ${status}.`);
          return measured;
        },
      ]),
    ) as Record<keyof typeof refusals, (seconds?: number) => Promise<Measured>>;
    const results = await byTurns(bench, {
      answers: wrkCounted(bench, scene, scene.callers, { connections: CONNECTIONS, requests: scene.calls }),
      ...contenders,
    });
    return names.map((name) => ({
      row: "8",
      work: `${refusals[name].work} : row 1`,
      measured: `${rate(results[name])} (${cpu(results[name])}); ${rate(results.answers)} (${cpu(results.answers)})`,
      values: perRound(bench.rounds, (round) => results[name][round]!.rate / results.answers[round]!.rate),
      unit: "×",
      bar: { least: 2 },
      aim: 5,
    }));
  } finally {
    await aisle.stop();
  }
}

const post = ({ headers, body }: Sent) => ({ method: "POST", headers, body });

/** So many that no address comes twenty times in a minute, after which it would be told 429. */
const GUESSES = 30_000;
const guesses = (args: unknown): Sent[] =>
  Array.from({ length: GUESSES }, () => call(mint(), "get_store_info", args, { "X-Forwarded-For": address() }));
const address = () => `10.${[...randomBytes(3)].join(".")}`;

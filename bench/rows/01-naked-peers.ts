// 1: a whole call of ours against peers that do nothing.
import {
  type Bench,
  byTurns,
  cpuOf,
  type Line,
  type Measured,
  perRound,
  type Row,
  wrk,
  wrkCounted,
} from "../support/bench";
import { ask } from "../support/callers";
import { nakedPeers } from "../support/peers";
import { median } from "../support/stats";

export const CONNECTIONS = 32;

export const nakedPeersRow: Row = { number: 1, run };

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const answer = await ask(scene.aisle.url, scene.calls[0]!);
  const peers = await nakedPeers(bench.place, answer);
  try {
    for (const { url } of peers) await ask(url, scene.calls[0]!);
    const given = { connections: CONNECTIONS, requests: scene.calls };
    const results = await byTurns(bench, {
      aisle: wrkCounted(bench, scene, scene.callers, given),
      ...Object.fromEntries(peers.map((peer) => [peer.name, wrk(bench, peer, given)])),
    } as Record<string, (seconds?: number) => Promise<Measured>>);
    const { aisle, ...others } = results as Record<string, Measured[]> & { aisle: Measured[] };
    const fastest = (round: number) => Math.max(...Object.values(others).map((measured) => measured[round]!.rate));
    return [
      {
        row: "1",
        work: "get_store_info, 32 connections, 8 consumers : the fastest naked peer",
        measured: `${rate(aisle)} (${cpu(aisle)}); ${Object.entries(others)
          .map(([name, measured]) => `${name} ${rate(measured)} (${Math.round(cpuOf(measured, "contender"))} µs)`)
          .join(", ")}`,
        values: perRound(bench.rounds, (round) => aisle[round]!.rate / fastest(round)),
        unit: "×",
        bar: { least: 3 },
        aim: 4,
      },
    ];
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

export const rate = (measured: Measured[]): string =>
  `${Math.round(median(measured.map((one) => one.rate))).toLocaleString("en")}/s`;

/** What a request costs in CPU time, ours and PostgreSQL's. */
export const cpu = (measured: Measured[]): string =>
  `${Math.round(cpuOf(measured, "contender"))} + ${Math.round(cpuOf(measured, "postgres"))} µs`;

// 4: one connection: how long a call takes when nothing shares its round trips.
import { type Bench, byTurns, type Line, perRound, type Row, wrk, wrkCounted } from "../support/bench";
import { bareSelect } from "../support/peers";
import { median } from "../support/stats";
import { cpu } from "./01-naked-peers";

export const oneConnectionRow: Row = { number: 4, run };

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const bare = await bareSelect(bench.place, scene.database);
  try {
    const given = { connections: 1, requests: scene.calls };
    const { aisle, floor } = await byTurns(bench, {
      aisle: wrkCounted(bench, scene, scene.callers, given),
      floor: wrk(bench, bare, given),
    });
    const p50 = (measured: typeof aisle) => `${median(measured.map((one) => one.p50)).toFixed(2)} ms`;
    return [
      {
        row: "4",
        work: "one connection, p50 : a bare node:http server with one point select",
        measured: `${p50(aisle)} (${cpu(aisle)}); ${p50(floor)} (${cpu(floor)})`,
        values: perRound(bench.rounds, (round) => aisle[round]!.p50 / floor[round]!.p50),
        unit: "×",
        bar: { most: 3 },
        aim: 2,
      },
    ];
  } finally {
    await bare.stop();
  }
}

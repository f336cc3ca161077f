// 2: the official SDK on Express doing the same work on the same database.
import { type Bench, byTurns, type Line, perRound, type Row, wrk, wrkCounted } from "../support/bench";
import { ask, untilCounted, usageRows } from "../support/callers";
import { sameWork } from "../support/peers";
import { CONNECTIONS, cpu, rate } from "./01-naked-peers";

export const sameWorkRow: Row = { number: 2, run };

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const peer = await sameWork(bench.place, scene.database);
  try {
    const before = await usageRows(scene.database, scene.callers);
    await ask(peer.url, scene.calls[0]!);
    if ((await usageRows(scene.database, scene.callers)) !== before + 1)
      throw new Error("The peer wrote no usage row.");
    const given = { connections: CONNECTIONS, requests: scene.calls };
    const { aisle, other } = await byTurns(bench, {
      aisle: wrkCounted(bench, scene, scene.callers, given),
      other: async (seconds) => {
        const measured = await wrk(bench, peer, given)(seconds);
        await untilCounted(scene.database);
        return measured;
      },
    });
    return [
      {
        row: "2",
        work: "the same : the official SDK on Express doing the same work",
        measured: `${rate(aisle)} (${cpu(aisle)}); ${rate(other)} (${cpu(other)})`,
        values: perRound(bench.rounds, (round) => aisle[round]!.rate / other[round]!.rate),
        unit: "×",
        bar: { least: 6 },
        aim: 10,
      },
    ];
  } finally {
    await peer.stop();
  }
}

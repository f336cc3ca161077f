// 3: one consumer's one key over 64 connections: nothing queues behind its limit.
import { type Bench, byTurns, type Line, perRound, type Row, wrkCounted } from "../support/bench";
import { CONNECTIONS, cpu, rate } from "./01-naked-peers";

export const hotKeyRow: Row = { number: 3, run };

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const { callers, calls } = scene;
  const { all, hot } = await byTurns(bench, {
    all: wrkCounted(bench, scene, callers, { connections: CONNECTIONS, requests: calls }),
    hot: wrkCounted(bench, scene, callers, { connections: 64, requests: calls.slice(0, 1) }),
  });
  return [
    {
      row: "3",
      work: "one key over 64 connections : row 1",
      measured: `${rate(hot)} (${cpu(hot)}); ${rate(all)} (${cpu(all)})`,
      values: perRound(bench.rounds, (round) => hot[round]!.rate / all[round]!.rate),
      unit: "×",
      bar: { least: 0.9 },
      aim: 1,
    },
  ];
}

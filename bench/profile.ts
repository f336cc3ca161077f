import type { Bench } from "./support/bench";
export async function profile(_bench: Bench, _rows: number[] | undefined): Promise<void> {}

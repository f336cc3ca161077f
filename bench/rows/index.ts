// The rows of the table, in order.
import type { Row } from "../support/bench";
import { nakedPeersRow } from "./01-naked-peers";
import { sameWorkRow } from "./02-same-work";
import { hotKeyRow } from "./03-hot-key";
import { oneConnectionRow } from "./04-one-connection";
import { tailRow } from "./05-tail";

export const rows: Row[] = [nakedPeersRow, sameWorkRow, hotKeyRow, oneConnectionRow, tailRow];

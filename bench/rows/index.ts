// The rows of the table, in order.
import type { Row } from "../support/bench";
import { nakedPeersRow } from "./01-naked-peers";
import { sameWorkRow } from "./02-same-work";
import { hotKeyRow } from "./03-hot-key";
import { oneConnectionRow } from "./04-one-connection";
import { tailRow } from "./05-tail";
import { searchRow } from "./06-search";
import { searchPipelineRow } from "./07-search-pipeline";
import { refusalsRow } from "./08-refusals";
import { importRow } from "./09-import";
import { pagesRow } from "./10-pages";
import { enduranceRow } from "./11-endurance";
import { instancesRow } from "./12-instances";
import { pagesAtScaleRow } from "./13-pages-at-scale";

export const rows: Row[] = [
  nakedPeersRow,
  sameWorkRow,
  hotKeyRow,
  oneConnectionRow,
  tailRow,
  searchRow,
  searchPipelineRow,
  refusalsRow,
  importRow,
  pagesRow,
  enduranceRow,
  instancesRow,
  pagesAtScaleRow,
];

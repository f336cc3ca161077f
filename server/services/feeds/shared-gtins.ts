// A GTIN names one article. What very many rows of a file have names none, and would be in the way of every store that has it:
// whoever asks for the offers of an article gets those of all stores, and each has to be looked at.
import { type Issues, MAX_ISSUES } from "./report";
import type { Transaction } from "./transaction";

/** More sellers of one article than a marketplace has. */
const MOST_ROWS = 1_000;

/** Takes such a GTIN out of the staged rows; they are loaded without it. */
export async function dropShared(tx: Transaction, issues: Issues): Promise<void> {
  const shared = await tx<{ gtin: string; rows: number; line: number }[]>`
    with shared as (
      select gtin, count(*)::int as rows, min(line) as line from staged where gtin is not null
      group by gtin having count(*) > ${MOST_ROWS}),
    dropped as (update staged s set gtin = null from shared where s.gtin = shared.gtin)
    select * from shared order by line limit ${MAX_ISSUES}`;
  for (const { gtin, rows, line } of shared)
    issues.add("warning", line, "gtin", gtin, `is that of ${rows} rows, and so of no one article; left out of them`);
}

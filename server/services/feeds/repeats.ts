// What rows of a file may not share: an id, and, but for a few of them, a GTIN.
import { type Issues, MAX_ISSUES } from "./report";
import type { Transaction } from "./transaction";

/** Of rows with one id the last wins. */
export async function dropDuplicates(tx: Transaction, issues: Issues): Promise<void> {
  const dropped = await tx<{ line: number; variant_id: string; total: number }[]>`
    with dropped as (
      delete from staged s using (
        select variant_id, max(position) as last from staged group by variant_id having count(*) > 1) d
      where s.variant_id = d.variant_id and s.position < d.last returning s.line, s.variant_id)
    select *, count(*) over ()::int as total from dropped order by line limit ${MAX_ISSUES}`;
  for (const { line, variant_id } of dropped)
    issues.add("warning", line, "id", variant_id, "occurs again further down; that row counts");
  issues.addWarnings((dropped[0]?.total ?? 0) - dropped.length);
}

/** More sellers of one article than a marketplace has. */
const MOST_ROWS = 1_000;

/**
 * A GTIN names one article. What very many rows have names none, and would be in the way of every store that has it: whoever asks for the
 * offers of an article gets those of all stores, and each has to be looked at (decision 0108). They are loaded without it.
 */
export async function dropSharedGtins(tx: Transaction, issues: Issues): Promise<void> {
  const shared = await tx<{ gtin: string; rows: number; line: number }[]>`
    with shared as (
      select gtin, count(*)::int as rows, min(line) as line from staged where gtin is not null
      group by gtin having count(*) > ${MOST_ROWS}),
    dropped as (update staged s set gtin = null from shared where s.gtin = shared.gtin)
    select * from shared order by line limit ${MAX_ISSUES}`;
  for (const { gtin, rows, line } of shared)
    issues.add("warning", line, "gtin", gtin, `is that of ${rows} rows, and so of no one article; left out of them`);
}

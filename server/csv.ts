// Comma-separated values for spreadsheets (RFC 4180), as downloads: what begins like a formula does not run as one.
import { stringify } from "csv-stringify/sync";

export type Cell = string | number | Date | null | undefined;

/** @returns text with a header line; times in ISO 8601, empty where there is no value */
export const csv = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      header: true,
      columns: header.map((name, i) => ({ key: String(i), header: name })),
      escape_formulas: true,
      record_delimiter: "windows",
      cast: { date: (date) => date.toISOString() },
    },
  );

import type { ReactNode } from "react";
import { cx } from "./cx";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and actions stand on the right. */
  align?: "right";
  /** The header is read out but not shown: for a column of buttons. */
  quiet?: boolean;
}

/**
 * Rows, dense. The first column names the row. On a phone each row becomes a card; with `wide` the table scrolls in its
 * own box instead, for logs that are read across.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  wide = false,
}: {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  wide?: boolean;
}) {
  return (
    <section aria-label={caption} className="relative overflow-x-auto" tabIndex={wide ? 0 : undefined}>
      <table className={cx("w-full border-collapse text-left text-sm tabular-nums", !wide && "max-sm:block")}>
        <caption className="sr-only">{caption}</caption>
        <thead className={cx("bg-sunken text-muted text-xs", !wide && "max-sm:sr-only")}>
          <tr>
            {columns.map(({ header, align, quiet }) => (
              <th
                className={cx(
                  "h-9 whitespace-nowrap px-3 font-medium first:pl-4 last:pr-4 md:first:pl-6 md:last:pr-6",
                  align === "right" && "text-right",
                )}
                key={header}
                scope="col"
              >
                {quiet ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={cx(!wide && "max-sm:block")}>
          {rows.map((row) => (
            <tr
              className={cx(
                "border-line border-t hover:bg-sunken",
                !wide && "max-sm:flex max-sm:flex-col max-sm:gap-1.5 max-sm:px-4 max-sm:py-3 max-sm:first:border-t-0",
              )}
              key={rowKey(row)}
            >
              {columns.map((column, index) => (
                <Cell column={column} isFirst={index === 0} key={column.header} wide={wide}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell<Row>({
  column: { header, align, quiet },
  isFirst,
  wide,
  children,
}: {
  column: Column<Row>;
  isFirst: boolean;
  wide: boolean;
  children: ReactNode;
}) {
  const Tag = isFirst ? "th" : "td";
  return (
    <Tag
      className={cx(
        "h-11 px-3 py-2 align-middle font-normal first:pl-4 last:pr-4 md:first:pl-6 md:last:pr-6",
        align === "right" && "sm:text-right",
        wide && "whitespace-nowrap",
        !wide &&
          "max-sm:flex max-sm:h-auto max-sm:min-h-6 max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:px-0! max-sm:py-0",
        !wide && isFirst && "max-sm:font-medium sm:min-w-40",
      )}
      scope={isFirst ? "row" : undefined}
    >
      {!wide && !isFirst && !quiet && (
        <span aria-hidden className="shrink-0 text-faint text-xs sm:hidden">
          {header}
        </span>
      )}
      <div
        className={cx(
          "min-w-0",
          !wide && (isFirst ? "wrap-anywhere" : "max-sm:text-right"),
          align === "right" && "sm:[&>*]:justify-end",
        )}
      >
        {children}
      </div>
    </Tag>
  );
}

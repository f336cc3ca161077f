import type { ReactNode } from "react";
import { grouped } from "~/lib/numbers";
import { cx } from "./cx";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and actions stand on the right. Numbers alone are tabular: in words Inter would widen the hyphen, too. */
  align?: "right";
  /** The header is read out but not shown: for a column of buttons, which stand side by side. */
  quiet?: boolean;
  /** Left out of a `wide` table without the room: another cell says it there (`hidden narrow:block`). */
  spare?: boolean;
  /** What it holds is plain without its header, where rows stack. */
  plain?: boolean;
  /** As wide as what it holds, which is no name but a number. */
  slim?: boolean;
}

/** How wide a box must be for so many columns, by the names of containers in `table.css`. */
const roomFor = (columns: number) =>
  columns < 4
    ? "[container:table/inline-size]"
    : columns < 6
      ? "[container:table_many/inline-size]"
      : "[container:table_most/inline-size]";

/** Three buttons in a row are as wide as two columns more. */
const FOR_THREE_ACTIONS = "has-[.cell-actions>div>:nth-child(3)]:[container:table_most/inline-size]";

const roomForLog = (columns: number) =>
  columns < 7 ? "[container:short-log/inline-size]" : "[container:log/inline-size]";

/**
 * Rows, dense. The first column names the row. In a box too narrow for the columns each row folds: to a tile, on a phone
 * to a card; with `wide` the table scrolls in its own box instead, for what is read across. A log, which has spare columns,
 * stacks: the first and the last column share a line, the others follow below it.
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
  const hasActions = columns.some(({ quiet }) => quiet);
  const isTight = columns.some(({ spare }) => spare);
  // One that is plain takes a line; without it, what follows the first line would begin on it where there is room.
  const needsBreak = !columns.slice(0, -1).some(({ plain }) => plain);
  return (
    <section
      aria-label={caption}
      className={cx(
        "relative overflow-x-auto",
        wide ? "scroll-hint" : cx(roomFor(columns.length), FOR_THREE_ACTIONS),
        wide && (isTight ? roomForLog(columns.length) : "@container"),
      )}
      data-said={`${caption}: ${grouped(rows.length)} ${rows.length === 1 ? "row" : "rows"}`}
      tabIndex={wide ? 0 : undefined}
    >
      <table
        className={cx(
          "w-full border-collapse text-left text-sm folded:block stacked:block",
          wide ? "[--cell:0.625rem]" : "[--cell:0.75rem]",
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-sunken text-muted text-xs folded:sr-only stacked:sr-only">
          <tr>
            {columns.map(({ header, align, quiet, spare, slim }) => (
              <th
                className={cx(
                  "h-9 whitespace-nowrap font-medium first:pl-4 last:pr-4 md:first:pl-6 md:last:pr-6",
                  wide ? "px-2.5" : "px-3",
                  align === "right" && "text-right",
                  spare && "narrow:hidden",
                  slim && "w-px",
                )}
                key={header}
                scope="col"
              >
                {quiet ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="folded:block stacked:block">
          {rows.map((row) => (
            <tr
              className={cx(
                "row",
                needsBreak && "stacked:before:basis-full",
                hasActions
                  ? "tiles:grid-cols-[repeat(auto-fill,minmax(7.75rem,1fr))]"
                  : "tiles:grid-cols-[repeat(auto-fill,minmax(9rem,1fr))]",
              )}
              key={rowKey(row)}
            >
              {columns.map((column, index) => (
                <Cell
                  column={column}
                  hasActions={hasActions}
                  isFirst={index === 0}
                  isTight={isTight}
                  key={column.header}
                  wide={wide}
                >
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
  column: { header, align, quiet, spare, plain, slim },
  isFirst,
  hasActions,
  isTight,
  wide,
  children,
}: {
  column: Column<Row>;
  isFirst: boolean;
  hasActions: boolean;
  /** Its columns must get by with little room. */
  isTight: boolean;
  wide: boolean;
  children: ReactNode;
}) {
  const Tag = isFirst ? "th" : "td";
  return (
    <Tag
      className={cx(
        "cell",
        align === "right" && "whitespace-nowrap text-right tabular-nums tiles:text-left",
        spare && "narrow:hidden",
        isFirst && "folded:font-medium folded:[&_.text-muted]:font-normal",
        isFirst && (slim ? "whitespace-nowrap" : "min-w-40"),
        isFirst && (hasActions ? "cell-named" : "@max-xl/table:col-[1/-1] @xl/table:col-[1/-2]"),
        isFirst
          ? "stacked:-order-1 stacked:min-w-0 stacked:flex-1 stacked:basis-1/2"
          : "stacked:min-w-0 stacked:not-last:text-[0.8125rem]",
        plain && "stacked:not-last:basis-full",
        quiet && "cell-actions",
      )}
      scope={isFirst ? "row" : undefined}
    >
      {!isFirst && !quiet && (
        <span aria-hidden className={cx("cell-head", !plain && "stacked:block")}>
          {header}
        </span>
      )}
      <div
        className={cx(
          "min-w-0",
          isFirst
            ? wide
              ? "wrap-break-word max-w-56 @min-[58rem]/log:max-w-md"
              : "wrap-anywhere"
            : "cards:text-right",
          wide && !isFirst && !align && "wrap-anywhere max-w-64 stacked:max-w-none stacked:min-w-0!",
          wide && !isFirst && !align && (isTight ? "min-w-20" : "not-has-[>time,>code,svg]:min-w-28"),
          align === "right" && "[&>*]:justify-end tiles:[&>*]:justify-start",
          quiet && "flex justify-end gap-2",
        )}
      >
        {children}
      </div>
    </Tag>
  );
}

import { useState } from "react";
import { grouped } from "~/lib/numbers";
import { cx } from "./cx";
import { summaryLook } from "./summary-look";
import type { Tone } from "./tone";

interface ChartSeries {
  label: string;
  tone: Tone;
}

interface ChartPoint {
  /** Where the bucket begins. */
  at: Date | string;
  /** A count for each series, in their order; nothing is counted twice, since the bars are stacked. */
  counts: number[];
}

const fills: Record<Tone, string> = {
  neutral: "fill-faint",
  accent: "fill-accent-fill",
  success: "fill-success-mark",
  warning: "fill-warning-mark",
  danger: "fill-danger-mark",
};
const swatches: Record<Tone, string> = {
  neutral: "bg-faint",
  accent: "bg-accent-fill",
  success: "bg-success-mark",
  warning: "bg-warning-mark",
  danger: "bg-danger-mark",
};

const forms: Record<"minute" | "hour" | "day" | "hourOfDays", Intl.DateTimeFormatOptions> = {
  minute: { hour: "2-digit", minute: "2-digit" },
  hour: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  /** Of several days, where weekdays come again. */
  hourOfDays: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
};

/** A column of the table that no bar shows: one text for each point. */
export interface ChartColumn {
  label: string;
  values: string[];
}

/**
 * Counts over time as stacked bars, drawn by the server as SVG, as high as its box has room; the same figures stand below as
 * a table. Times are UTC.
 */
export function Chart({
  title,
  step,
  series,
  points,
  besides = [],
}: {
  title: string;
  step: "minute" | "hour" | "day";
  series: ChartSeries[];
  points: ChartPoint[];
  besides?: ChartColumn[];
}) {
  const [pointed, show] = useState<number>();
  // There may be fewer by now, while the pointer rests where it was.
  const shown = pointed !== undefined && pointed < points.length ? pointed : undefined;
  const form = step === "hour" && points.length > 24 ? "hourOfDays" : step;
  const format = new Intl.DateTimeFormat("en-GB", { ...forms[form], timeZone: "UTC" });
  const labels = points.map(({ at }) => format.format(new Date(at)));
  const top = niceTop(Math.max(...points.map(({ counts }) => sum(counts)), 0));
  const totals = sums(points, series.length);
  const figures = shown === undefined ? totals : points[shown]!.counts;
  return (
    <figure
      className="flex h-full min-w-0 flex-col gap-3"
      data-said={`${title}: ${series.map(({ label }, index) => `${label} ${grouped(totals[index] ?? 0)}`).join(", ")}`}
    >
      <figcaption className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-[0.8125rem] text-muted tabular-nums">
        <span className="sr-only">{title}</span>
        {series.map(({ label, tone }, index) => (
          <span className="inline-flex items-center gap-2" key={label}>
            <span aria-hidden className={cx("size-2 rounded-xs forced-color-adjust-none", swatches[tone])} />
            {label} <span className="font-medium text-ink">{grouped(figures[index] ?? 0)}</span>
          </span>
        ))}
        <span className="text-faint max-sm:-order-1 max-sm:basis-full">
          {shown === undefined ? "In total" : `${labels[shown]} UTC`}
        </span>
      </figcaption>
      <div className="grid grow grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(9rem,1fr)_auto] gap-x-3">
        <div
          aria-hidden
          className="flex flex-col justify-between text-right text-faint text-xs leading-none tabular-nums"
        >
          {[top, top / 2, 0].map((tick) => (
            <span className="-my-1.5 py-0.5" key={tick}>
              {grouped(tick)}
            </span>
          ))}
        </div>
        <Bars onShow={show} points={points} series={series} shown={shown} top={top} />
        <div aria-hidden className="col-start-2 flex justify-between pt-2 text-faint text-xs tabular-nums">
          {ends(labels).map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
      </div>
      <FiguresTable besides={besides} labels={labels} points={points} series={series} title={title} />
    </figure>
  );
}

/** Percentages instead of a viewBox: bars stretch with the box, corners and hairlines do not. */
function Bars({
  points,
  series,
  top,
  shown,
  onShow,
}: {
  points: ChartPoint[];
  series: ChartSeries[];
  top: number;
  shown: number | undefined;
  onShow: (index: number | undefined) => void;
}) {
  const slot = 100 / points.length;
  return (
    <div className="relative">
      <svg
        aria-hidden="true"
        className="absolute inset-0 size-full overflow-visible"
        onPointerLeave={() => onShow(undefined)}
      >
        {[0, 50, 100].map((y) => (
          <line
            className="stroke-line"
            key={y}
            shapeRendering="crispEdges"
            x1="0"
            x2="100%"
            y1={`${y}%`}
            y2={`${y}%`}
          />
        ))}
        {points.map(({ at, counts }, index) => {
          let base = 100;
          return (
            <g key={String(at)} onPointerEnter={() => onShow(index)}>
              <rect
                className={shown === index ? "fill-raised" : "fill-transparent"}
                height="100%"
                width={percent(slot)}
                x={percent(slot * index)}
              />
              {counts.map((count, at) => {
                if (count === 0) return null;
                const height = (count / top) * 100;
                base -= height;
                return (
                  <rect
                    className={cx(fills[series[at]!.tone], "pointer-events-none")}
                    height={percent(height)}
                    key={series[at]!.label}
                    rx="1.5"
                    width={percent(slot * 0.7)}
                    x={percent(slot * (index + 0.15))}
                    y={percent(base)}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function FiguresTable({
  title,
  labels,
  series,
  points,
  besides,
}: {
  title: string;
  labels: string[];
  series: ChartSeries[];
  points: ChartPoint[];
  besides: ChartColumn[];
}) {
  return (
    <details className="text-[0.8125rem]">
      <summary className={cx(summaryLook, "text-faint")}>Show as a table</summary>
      <section
        aria-label={title}
        className="scroll-hint mt-2 max-h-64 overflow-auto rounded-md border border-line"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <table className="w-full whitespace-nowrap text-left tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="sticky top-0 bg-sunken text-muted text-xs">
            <tr>
              <th className="h-8 px-2 font-medium sm:px-3" scope="col">
                From (UTC)
              </th>
              {[...series, ...besides].map(({ label }) => (
                <th className="px-2 text-right font-medium sm:px-3" key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, counts }, index) => (
              <tr className="border-line border-t" key={String(at)}>
                <th className="h-8 px-2 font-normal sm:px-3" scope="row">
                  {labels[index]}
                </th>
                {series.map(({ label }, column) => (
                  <td className="px-2 text-right sm:px-3" key={label}>
                    {grouped(counts[column] ?? 0)}
                  </td>
                ))}
                {besides.map(({ label, values }) => (
                  <td className="px-2 text-right sm:px-3" key={label}>
                    {values[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
const sums = (points: ChartPoint[], width: number) =>
  Array.from({ length: width }, (_, index) => sum(points.map(({ counts }) => counts[index] ?? 0)));
const percent = (share: number) => `${Number(share.toFixed(3))}%`;

/** The least round number that holds the highest bar and has a whole half; never below 2. */
function niceTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 2)));
  const found = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]
    .map((step) => step * power)
    .find((top) => top >= highest && top % 2 === 0);
  return found ?? 2;
}

/** First, middle and last label. */
const ends = (labels: string[]) => [
  ...new Set([labels[0], labels[Math.floor(labels.length / 2)], labels.at(-1)].filter((label) => label !== undefined)),
];

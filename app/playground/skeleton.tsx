/** Grey lines where text will be, while it is on its way; `rows` as many as will come, so that nothing jumps. */
export function Skeleton({ rows }: { rows: number }) {
  const widths = ["w-full", "w-11/12", "w-4/5", "w-full", "w-2/3"];
  return (
    <div aria-label="Loading" className="flex animate-pulse flex-col gap-3 py-1" role="status">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have nothing else
        <div className={`h-4 rounded bg-line ${widths[row % widths.length]}`} key={row} />
      ))}
    </div>
  );
}

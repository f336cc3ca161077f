import { ChevronRight } from "lucide-react";
import { grouped } from "~/lib/numbers";
import { cx } from "./cx";

type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

const MAX_SHOWN = 100;

/** How many entries of a list or record are kept of a caller's arguments, before one that says how many more there were. */
const KEPT = 20;

/**
 * JSON as a tree that folds, scripts or not; what lies deeper than `open` levels starts folded.
 * @param isCut it is what is kept of a longer one, and marks what was cut
 */
export function JsonView({ value, open = 2, isCut = false }: { value: unknown; open?: number; isCut?: boolean }) {
  return (
    <div className="overflow-x-auto p-4 font-mono text-[0.8125rem] leading-6">
      <Node depth={0} isCut={isCut} open={open} value={value as Json} />
    </div>
  );
}

interface NodeProps {
  name?: string;
  value: Json;
  depth: number;
  open: number;
  isCut: boolean;
}

function Node({ name, value, depth, open, isCut }: NodeProps) {
  if (value === null || value === undefined || typeof value !== "object") {
    return (
      <div className="wrap-anywhere pl-5">
        <Name>{name}</Name>
        <Leaf value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const { entries, cut } = isCut ? withoutMark(value) : { entries: Object.entries(value), cut: 0 };
  const asked = entries.length + cut;
  const count = `${grouped(asked)} ${isList ? "item" : "key"}${asked === 1 ? "" : "s"}`;
  return (
    <details open={depth < open}>
      <summary className="-mx-1 flex w-fit items-center gap-1 rounded px-1 hover:bg-raised [details[open]>&>svg]:rotate-90">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-faint transition-transform duration-100" />
        <span>
          <Name>{name}</Name>
          <span className="text-faint">
            {isList ? "[ ]" : "{ }"} {count}
          </span>
        </span>
      </summary>
      <div className={cx("ml-2 border-line border-l pl-2")}>
        {entries.slice(0, MAX_SHOWN).map(([key, child]) => (
          <Node depth={depth + 1} isCut={isCut} key={key} name={key} open={open} value={child} />
        ))}
        {cut > 0 && <p className="pl-5 text-faint">… {grouped(cut)} more, not kept</p>}
        {entries.length > MAX_SHOWN && (
          <p className="pl-5 text-faint">… {grouped(entries.length - MAX_SHOWN)} more, in the raw JSON</p>
        )}
      </div>
    </details>
  );
}

/** What was kept of a list or record, and how many more of its entries were cut. */
function withoutMark(value: Json[] | { [key: string]: Json }): { entries: [string, Json][]; cut: number } {
  const entries = Object.entries(value);
  const at = entries.findIndex(([key]) => key === (Array.isArray(value) ? String(KEPT) : "…"));
  const [, cut] = /^\[(\d+) more\]$/.exec(String(entries[at]?.[1])) ?? [];
  if (entries.length !== KEPT + 1 || cut === undefined) return { entries, cut: 0 };
  return { entries: entries.filter((_, index) => index !== at), cut: Number(cut) };
}

const Name = ({ children }: { children: string | undefined }) =>
  children === undefined ? null : (
    <>
      <span className="text-code-key">{children}</span>
      <span className="text-faint">: </span>
    </>
  );

function Leaf({ value }: { value: string | number | boolean | null | undefined }) {
  if (typeof value === "string") return <span className="text-code-string">{JSON.stringify(value)}</span>;
  if (typeof value === "number") return <span className="text-code-number">{value}</span>;
  return <span className="text-code-keyword">{String(value)}</span>;
}

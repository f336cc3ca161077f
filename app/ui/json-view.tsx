import { ChevronRight } from "lucide-react";
import { grouped } from "~/lib/numbers";
import { cx } from "./cx";

type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

const MAX_SHOWN = 100;

/** JSON as a tree that folds, scripts or not; what lies deeper than `open` levels starts folded. */
export function JsonView({ value, open = 2 }: { value: unknown; open?: number }) {
  return (
    <div className="overflow-x-auto p-4 font-mono text-[0.8125rem] leading-6">
      <Node depth={0} open={open} value={value as Json} />
    </div>
  );
}

function Node({ name, value, depth, open }: { name?: string; value: Json; depth: number; open: number }) {
  if (value === null || value === undefined || typeof value !== "object") {
    return (
      <div className="wrap-anywhere pl-5">
        <Name>{name}</Name>
        <Leaf value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const count = `${grouped(entries.length)} ${isList ? "item" : "key"}${entries.length === 1 ? "" : "s"}`;
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
          <Node depth={depth + 1} key={key} name={key} open={open} value={child} />
        ))}
        {entries.length > MAX_SHOWN && (
          <p className="pl-5 text-faint">… {grouped(entries.length - MAX_SHOWN)} more, in the raw JSON</p>
        )}
      </div>
    </details>
  );
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

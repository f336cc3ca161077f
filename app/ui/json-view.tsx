import { ChevronRight } from "lucide-react";
import { grouped } from "~/lib/numbers";
import { cx } from "./cx";

type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

const MAX_SHOWN = 100;

/** How many more entries a list or record had than are there, by its path as JSON, such as `["filters","brand"]`. */
type Cut = Record<string, number>;
const whole: Cut = {};

interface Unfolding {
  /** How many levels start unfolded. */
  open: number;
  /** And, of a list that ends them, its first item: to show what the others are like. */
  first?: boolean;
}

/**
 * JSON as a tree that folds, scripts or not.
 * @param cut where it is what was kept of a longer one
 */
export function JsonView({ value, cut = whole, ...unfolding }: Unfolding & { value: unknown; cut?: Cut }) {
  return (
    <div className="overflow-x-auto p-4 font-mono text-[0.8125rem] leading-6">
      <Node cut={cut} path={[]} value={value as Json} {...unfolding} />
    </div>
  );
}

interface NodeProps extends Unfolding {
  path: string[];
  value: Json;
  cut: Cut;
  isFirst?: boolean;
}

function Node({ path, value, cut, isFirst, ...unfolding }: NodeProps) {
  const name = path.at(-1);
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
  const more = cut[JSON.stringify(path)] ?? 0;
  const asked = entries.length + more;
  if (asked === 0) {
    return (
      <div className={path.length > 0 ? "pl-5" : "md:pl-2"}>
        <Name>{name}</Name>
        <span className="text-faint">{isList ? "[]" : "{}"}</span>
      </div>
    );
  }
  const count = `${grouped(asked)} ${isList ? "item" : "key"}${asked === 1 ? "" : "s"}`;
  const { open, first } = unfolding;
  return (
    <details open={path.length < open || (path.length === open && first && isFirst)}>
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
          <Node
            cut={cut}
            isFirst={isList && key === "0"}
            key={key}
            path={[...path, key]}
            value={child}
            {...unfolding}
          />
        ))}
        {more > 0 && <p className="pl-5 text-faint">… {grouped(more)} more, not kept</p>}
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

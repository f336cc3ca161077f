import { Fragment, type ReactNode } from "react";
import { isObject } from "~/lib/is-object";
import { grouped } from "~/lib/numbers";
import { exactTime } from "~/lib/relative-time";
import { cx } from "~/ui/cx";
import { summaryLook } from "~/ui/summary-look";
import { fieldName, valueName } from "./field-names";
import {
  changesOf,
  ENTRIES,
  type FieldChange,
  type Fields,
  type ItemChange,
  isNothing,
  itemChanges,
  plain,
} from "./record-diff";

/** What an act changed, field by field: before, then after. What stayed is left out. */
export function Changes({ before, after }: { before: unknown; after: unknown }) {
  const changes = changesOf(before, after);
  const [first] = changes;
  return (
    <div className="rounded-md border border-line bg-sunken px-3 py-2 text-left font-normal text-[0.8125rem] leading-5">
      {first?.name === ENTRIES ? <Change of={first} /> : <FieldList changes={changes} />}
    </div>
  );
}

const FieldList = ({ changes }: { changes: FieldChange[] }) => (
  <dl className="changes">
    {changes.toSorted(byName).map((change) => (
      <Fragment key={change.name}>
        <dt>{fieldName(change.name)}</dt>
        <dd>
          <Change of={change} />
        </dd>
      </Fragment>
    ))}
  </dl>
);

/** What a thing is called comes first. The database keeps fields in no order that says anything. */
const byName = (one: FieldChange, other: FieldChange) => (rank(one.name) < rank(other.name) ? -1 : 1);
const rank = (name: string) => (name === "name" ? "" : fieldName(name).toLowerCase());

function Change({ of: { name, before, after, isAlone } }: { of: FieldChange }) {
  const [old, now] = [listOf(before), listOf(after)];
  if (old.length + now.length > 0 && old.every(isObject) && now.every(isObject)) {
    return <Items after={now} before={old} isAlone={isAlone} />;
  }
  if (isAlone) return <Text>{inWords(name, isNothing(before) ? after : before)}</Text>;
  if (old.length > 0 && now.length > 0) return <Members after={now.map(plain)} before={old.map(plain)} />;
  const [was, is] = [inWords(name, before, after), inWords(name, after, before)];
  const from = firstDifference(was, is);
  if (was.length > LONGEST || is.length > LONGEST) {
    return (
      <div className="flex flex-col gap-y-1">
        {!isNothing(before) && <Gone from={from}>{was}</Gone>}
        {!isNothing(after) && <New from={from}>{is}</New>}
      </div>
    );
  }
  return (
    <Pair>
      {!isNothing(before) && <Removed>{was}</Removed>}
      {isNothing(after) ? <span className="text-faint">nothing</span> : <Added>{is}</Added>}
    </Pair>
  );
}

const Pair = ({ children: [was, is] }: { children: [ReactNode, ReactNode] }) => (
  <div className="flex flex-wrap items-baseline gap-x-2">
    {was}
    {was && (
      <span aria-hidden className="text-faint">
        →
      </span>
    )}{" "}
    {is}
  </div>
);

interface Side {
  /** Where the sides begin to differ: what both have is not what is read. */
  from?: number;
  children: string;
}
const Removed = ({ from = 0, children }: Side) => (
  <del className="text-danger decoration-1">
    <Text from={from}>{children}</Text>
  </del>
);
const Added = ({ from = 0, children }: Side) => (
  <ins className="text-success no-underline">
    <Text from={from}>{children}</Text>
  </ins>
);

/** The same on lines of their own. */
const Gone = (side: Side) => (
  <Sign said="Gone" sign="−">
    <Removed {...side} />
  </Sign>
);
const New = (side: Side) => (
  <Sign said="New" sign="+">
    <Added {...side} />
  </Sign>
);

const LONGEST = 300;
const LEAD = 60;

/** Text of any length: of a long one the part that matters, the whole of it unfolds. */
function Text({ from = 0, children }: { from?: number; children: string }) {
  if (children.length <= LONGEST) return children;
  return (
    <details className="group/text inline-block">
      <summary className="rounded">
        <span className="group-open/text:hidden">{excerpt(children, from)} </span>
        <span className={cx(summaryLook, "inline-block text-muted")}>
          <span className="group-open/text:hidden">All of it</span>
          <span className="hidden group-open/text:inline">Less</span>
        </span>
      </summary>
      {children}
    </details>
  );
}

/** What is long around this place, between whole words where there are any. */
function excerpt(text: string, from: number): string {
  const start = from > LEAD ? Math.min(from - LEAD, text.length - LONGEST) : 0;
  let shown = text.slice(start, start + LONGEST);
  if (start > 0) shown = `…${shown.replace(/^\S{0,20}\s/, "")}`;
  if (start + LONGEST < text.length) shown = `${shown.replace(/\s\S{0,20}$/, "")}…`;
  // A cut through the middle of a character leaves half of it.
  return shown.replace(/\p{Cs}/gu, "");
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** Names in a list: which went, which came, and how many stayed. */
function Members({ before, after }: { before: string[]; after: string[] }) {
  const [gone, come] = [before.filter((one) => !after.includes(one)), after.filter((one) => !before.includes(one))];
  if (gone.length + come.length === 0) {
    return (
      <Pair>
        <Removed>{before.join(", ")}</Removed>
        <Added>{after.join(", ")}</Added>
      </Pair>
    );
  }
  const stayed = after.length - come.length;
  return (
    <div className="flex flex-col gap-y-0.5">
      {gone.length > 0 && <Gone>{gone.join(", ")}</Gone>}
      {come.length > 0 && <New>{come.join(", ")}</New>}
      {stayed > 0 && <span className="pl-4 text-faint">{grouped(stayed)} unchanged</span>}
    </div>
  );
}

const Sign = ({ sign, said, children }: { sign: string; said: string; children: ReactNode }) => (
  <div className="flex gap-1">
    <span aria-hidden className="w-3 shrink-0 text-faint">
      {sign}
    </span>
    <div className="min-w-0">
      <span className="sr-only">{said}: </span>
      {children}
    </div>
  </div>
);

const AT_ONCE = 20;
const signs = { added: ["+", "New"], removed: ["−", "Gone"], changed: ["±", "Changed"] } as const;

/** Records in a list: which went, which came, and what changed in the others. */
function Items({ before, after, isAlone }: { before: Fields[]; after: Fields[]; isAlone: boolean }) {
  const changes = itemChanges(before, after);
  const rest = changes.length - AT_ONCE;
  return (
    <div className="flex flex-col gap-y-1.5">
      <ItemList isAlone={isAlone} of={changes.slice(0, AT_ONCE)} />
      {rest > 0 && (
        <details>
          <summary className={cx(summaryLook, "text-muted")}>{grouped(rest)} more</summary>
          <ItemList isAlone={isAlone} of={changes.slice(AT_ONCE)} />
        </details>
      )}
    </div>
  );
}

const ItemList = ({ of, isAlone }: { of: ItemChange[]; isAlone: boolean }) => (
  <ul className="flex flex-col gap-y-1.5">
    {of.map(({ kind, title, changes }) => (
      <li key={`${kind} ${title}`}>
        {isAlone ? (
          <Item changes={changes} look="text-ink" title={title} />
        ) : (
          <Sign said={signs[kind][1]} sign={signs[kind][0]}>
            {kind === "changed" ? (
              <>
                <p className="font-medium">{title}</p>
                <FieldList changes={changes} />
              </>
            ) : (
              <Item changes={changes} look={kind === "added" ? "text-success" : "text-danger"} title={title} />
            )}
          </Sign>
        )}
      </li>
    ))}
  </ul>
);

/** A record of which all is told: what its title does not say of it unfolds. */
const Item = ({ title, look, changes }: { title: string; look: string; changes: FieldChange[] }) =>
  changes.length === 0 ? (
    <p className={look}>{title}</p>
  ) : (
    <details>
      <summary className={cx(summaryLook, look)}>{title}</summary>
      <div className="py-1">
        <FieldList changes={changes} />
      </div>
    </details>
  );

const listOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function inWords(name: string, value: unknown, other?: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return grouped(value);
  if (typeof value !== "string") return plain(value ?? "");
  if (instant.test(value)) return exactTime(new Date(value));
  return valueName(name, value, other);
}

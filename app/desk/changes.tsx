import { Fragment } from "react";
import { JsonView } from "~/ui/json-view";

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNothing = (value: unknown) => value === null || value === undefined;

/** A record's fields, those of records in it as `outer.inner`. */
function flat(value: unknown, path = ""): [name: string, value: unknown][] {
  if (!isFields(value)) return path === "" ? [] : [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => flat(inner, path === "" ? name : `${path}.${name}`));
}

/** The names whose values differ; all of them where there is only one side. */
export function changedNames(before: unknown, after: unknown): string[] {
  const [old, now] = [Object.fromEntries(flat(before)), Object.fromEntries(flat(after))];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(now[name] ?? null),
  );
}

/** What an act changed, field by field: before, then after. What stayed is left out. */
export function Changes({ before, after }: { before: unknown; after: unknown }) {
  const [old, now] = [Object.fromEntries(flat(before)), Object.fromEntries(flat(after))];
  return (
    <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-md border border-line bg-sunken px-3 py-2 text-left text-[0.8125rem] leading-5 lg:max-xl:grid-cols-1 lg:max-xl:gap-y-0 lg:max-xl:[&>dd]:pb-1.5">
      {changedNames(before, after).map((name) => (
        <Fragment key={name}>
          <dt className="wrap-anywhere font-mono text-code-key text-xs leading-5">{name}</dt>
          <dd className="wrap-anywhere flex min-w-0 flex-wrap items-baseline gap-x-2 whitespace-normal">
            <Change after={now[name]} before={old[name]} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Change({ before, after }: { before: unknown; after: unknown }) {
  if (hasRecords(before) || hasRecords(after)) {
    return <JsonView open={0} value={isNothing(before) ? after : isNothing(after) ? before : { before, after }} />;
  }
  return (
    <>
      {!isNothing(before) && <del className="text-danger decoration-1">{shown(before)}</del>}
      {!isNothing(before) && !isNothing(after) && (
        <span aria-hidden className="text-faint">
          →
        </span>
      )}
      {isNothing(after) ? (
        !isNothing(before) && <span className="text-faint">nothing</span>
      ) : (
        <ins className="text-success no-underline">{shown(after)}</ins>
      )}
    </>
  );
}

const hasRecords = (value: unknown) => Array.isArray(value) && value.some((item) => typeof item === "object");

const LONGEST = 300;

function shown(value: unknown): string {
  const text = Array.isArray(value)
    ? value.join(", ") || "none"
    : typeof value === "string"
      ? value || "“”"
      : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

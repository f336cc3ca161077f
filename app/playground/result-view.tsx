// A tool's answer to be looked at: products as cards, lists as tables, the rest as names and values.
import type { ReactNode } from "react";
import { isObject } from "~/lib/is-object";
import { grouped } from "~/lib/numbers";
import { cx } from "~/ui/cx";
import { Facts } from "~/ui/facts";
import { JsonView } from "~/ui/json-view";
import { summaryLook } from "~/ui/summary-look";
import { type Column, Table } from "~/ui/table";
import { ProductCard } from "./product-card";
import { inCell, isProduct, isRecords, type Note } from "./shapes";

/** With more of them a table is read across, and scrolls in its box; with more than `MAX_COLUMNS` there is none. */
const MANY_COLUMNS = 4;
const MAX_COLUMNS = 6;
/** What is longer has a line of its own beside shorter ones. */
const LONG = 60;

export function ResultView({
  structured,
  onNextPage,
}: {
  structured: Record<string, unknown>;
  onNextPage?: ReactNode;
}) {
  const { messages, page, facets, ...rest } = structured;
  return (
    <div className="flex min-w-0 flex-col gap-6 p-4 md:p-6">
      {isRecords(messages) && <Notes notes={messages as unknown as Note[]} />}
      {runsOf(Object.entries(rest)).map((run) =>
        isPlain(run[0]![1]) ? (
          <PlainFacts key={run[0]![0]} of={run} />
        ) : (
          run.map(([name, value]) => <Part key={name} name={name} value={value} />)
        ),
      )}
      {isRecords(facets) && <Facets facets={facets} />}
      {isObject(page) && (
        <div className="flex flex-wrap items-center justify-between gap-3 text-[0.8125rem] text-muted">
          <span>{inWords(page)}</span>
          {page.has_next_page === true && onNextPage}
        </div>
      )}
    </div>
  );
}

function inWords({ total_count: total, has_next_page: more }: Record<string, unknown>): string {
  const all = typeof total === "number" ? `${grouped(total)} in total. ` : "";
  return `${all}${more === true ? "There is a next page." : "This is the last page."}`;
}

function Part({ name, value }: { name: string; value: unknown }) {
  if (isProduct(value)) return <OneProduct product={value} />;
  if (Array.isArray(value) && value.length > 0 && value.every(isProduct)) {
    return (
      <Titled name={name}>
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          {value.map((product) => (
            <li className="grid" key={`${product.store_id} ${product.product_id}`}>
              <ProductCard product={product} />
            </li>
          ))}
        </ul>
      </Titled>
    );
  }
  if (isRecords(value)) {
    return (
      <Titled name={name}>
        <Records name={name} rows={value} />
      </Titled>
    );
  }
  return (
    <Titled name={name}>
      <Fields of={value as Record<string, unknown>} />
    </Titled>
  );
}

/** What fits beside its name: all but what has names inside. */
const isPlain = (value: unknown) => !isObject(value) && !isRecords(value);

/** Plain ones that follow each other stand together: one list, not one for each. */
function runsOf(entries: [string, unknown][]): [string, unknown][][] {
  const runs: [string, unknown][][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last && isPlain(last[0]![1]) === isPlain(entry[1])) last.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

const PlainFacts = ({ of }: { of: [string, unknown][] }) => (
  <Facts
    facts={of.map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 0 ? (
        <span className="text-faint" key={name}>
          None
        </span>
      ) : (
        <span key={name}>{inCell(value)}</span>
      ),
    ])}
  />
);

/** A product with everything about it. */
function OneProduct({ product }: { product: Parameters<typeof ProductCard>[0]["product"] & Record<string, unknown> }) {
  const { variants, description, ...rest } = product;
  return (
    <div className="flex flex-col gap-6">
      <ProductCard product={product} wide>
        {typeof description === "string" && (
          <p className="own-direction text-left max-w-prose text-pretty text-muted text-sm leading-6">{description}</p>
        )}
      </ProductCard>
      {isRecords(variants) && (
        <Titled name="variants">
          <Records name="variants" rows={variants} />
        </Titled>
      )}
      <details>
        <summary className={cx(summaryLook, "font-medium text-muted")}>All fields of the product</summary>
        <div className="mt-2 rounded-lg border border-line bg-sunken">
          <JsonView open={1} value={{ description, ...rest }} />
        </div>
      </details>
    </div>
  );
}

const Titled = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-col gap-2">
    <h3 className="font-medium font-mono text-[0.8125rem] text-muted">{name}</h3>
    {children}
  </div>
);

/** Plain values as facts, what is inside them as a tree. */
function Fields({ of }: { of: Record<string, unknown> }) {
  const plain = Object.entries(of).filter(([, value]) => !isRecords(value));
  const lists = Object.entries(of).filter(([, value]) => isRecords(value));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Facts facts={plain.map(([name, value]) => [name, <span key={name}>{inCell(value)}</span>])} />
      {lists.map(([name, value]) => (
        <Titled key={name} name={name}>
          <Records name={name} rows={value as Record<string, unknown>[]} />
        </Titled>
      ))}
    </div>
  );
}

type Row = Record<string, unknown>;

/** What tells rows apart, ids last unless only they name a row; below it, once, what all of them share. */
function Records({ name, rows }: { name: string; rows: Row[] }) {
  if (rows.length === 1) return <Fields of={rows[0]!} />;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const links = names.filter((key) => /_link$|_url$/.test(key));
  const told = names.filter((key) => !links.includes(key));
  const shared = told.filter((key) => new Set(rows.map((row) => inCell(row[key]))).size === 1);
  const apart = told.filter((key) => !shared.includes(key));
  const [ids, others] = [apart.filter((key) => key.endsWith("_id")), apart.filter((key) => !key.endsWith("_id"))];
  const isNamed = rows.some((row) => typeof row[others[0] ?? ""] === "string");
  const shown = isNamed ? [...others, ...ids] : [...ids, ...others];
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      {shown.length > MAX_COLUMNS ? (
        <Items names={shown} rows={rows} />
      ) : (
        shown.length > 0 && <Columns name={name} names={shown} rows={rows} />
      )}
      {shared.length > 0 && (
        <div className="flex flex-col gap-3 border-line p-4 not-first:border-t md:px-6">
          <p className="text-muted text-sm">The same in all {grouped(rows.length)}:</p>
          <Facts facts={shared.map((key) => [key, <span key={key}>{inCell(rows[0]![key])}</span>])} />
        </div>
      )}
      {links.length > 0 && (
        <p className="border-line border-t bg-sunken px-4 py-2.5 text-[0.8125rem] text-muted md:px-6">
          JSON has {links.join(" and ")} too.
        </p>
      )}
    </div>
  );
}

function Columns({ name, names, rows }: { name: string; names: string[]; rows: Row[] }) {
  const columns: Column<Row>[] = names.map((key) => ({
    header: key,
    cell: (row) => (
      <span className="wrap-anywhere line-clamp-3 folded:line-clamp-none" title={inCell(row[key])}>
        {inCell(row[key])}
      </span>
    ),
  }));
  return (
    <Table
      caption={`Rows of ${name}`}
      columns={columns}
      rowKey={(row) => JSON.stringify(row)}
      rows={rows}
      wide={columns.length > MANY_COLUMNS}
    />
  );
}

/** Too much for columns: each row by itself, with what it has. */
const Items = ({ names, rows }: { names: string[]; rows: Row[] }) => (
  <ul className="divide-y divide-line">
    {rows.map((row) => {
      const [title, ...rest] = names.map((key) => [key, inCell(row[key])] as const).filter(([, said]) => said !== "");
      return (
        <li className="flex flex-col gap-3 p-4 md:px-6" key={JSON.stringify(row)}>
          <h4 className="own-direction text-left wrap-anywhere font-medium text-sm">{title?.[1]}</h4>
          <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(12rem,100%),1fr))] gap-x-4 gap-y-2.5 text-sm">
            {rest.map(([key, said]) => (
              <div className={cx("flex min-w-0 flex-col", said.length > LONG && "col-span-full")} key={key}>
                <dt className="text-faint text-xs">{key}</dt>
                <dd className="wrap-anywhere text-left">{said}</dd>
              </div>
            ))}
          </dl>
        </li>
      );
    })}
  </ul>
);

const Notes = ({ notes }: { notes: Note[] }) => (
  <ul className="flex flex-col gap-1.5 rounded-lg bg-raised px-4 py-3 text-sm">
    {notes.map(({ code, content }) => (
      <li className="text-pretty" key={code + content}>
        {content} <code className="font-mono text-faint text-xs">{code}</code>
      </li>
    ))}
  </ul>
);

function Facets({ facets }: { facets: Record<string, unknown>[] }) {
  return (
    <Titled name="facets">
      <Facts
        facts={facets.map((facet) => [
          String(facet.name),
          <span className="flex flex-wrap gap-x-4 gap-y-1" key={String(facet.name)}>
            {(facet.values as { value: string; label?: string; count: number }[]).map(({ value, label, count }) => (
              <span key={value}>
                {label ?? value} <span className="text-faint tabular-nums">{grouped(count)}</span>
              </span>
            ))}
          </span>,
        ])}
      />
    </Titled>
  );
}

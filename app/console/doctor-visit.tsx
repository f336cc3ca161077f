// One request at the client doctor: what arrived, and each rule, failed ones first with their mend.
import { Check, Minus, X } from "lucide-react";
import { StatusBadge } from "~/playground/status-badge";
import type { loader } from "~/routes/console.doctor";
import { cx } from "~/ui/cx";
import { Facts } from "~/ui/facts";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { summaryLook } from "~/ui/summary-look";
import { Time } from "~/ui/time";

export type Doctor = Awaited<ReturnType<typeof loader>>;
export type Refusals = Doctor["rules"];
export type Visit = NonNullable<Doctor["check"]>["visits"][number];

export function DoctorVisit({ visit, rules, isNewest }: { visit: Visit; rules: Refusals; isNewest: boolean }) {
  const failed = visit.rules.filter(({ verdict }) => verdict === "failed");
  const others = visit.rules.filter(({ verdict }) => verdict !== "failed");
  const passed = others.filter(({ verdict }) => verdict === "passed").length;
  const told = new Map(rules.map((rule) => [rule.id as string, rule]));
  return (
    <Panel flush>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-3 text-[0.8125rem] text-muted md:px-6">
        <StatusBadge code={visit.code} status={visit.status} />
        <h3 className="font-medium text-ink text-sm">{verdictOf(visit)}</h3>
        <span className="flex flex-wrap gap-x-4 md:ml-auto">
          <Time at={visit.at} />
          <Mono>{visit.requestId}</Mono>
        </span>
      </div>
      <div className="grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:divide-x lg:divide-line">
        <div className="flex flex-col gap-3 p-4 md:p-6">
          <h4 className="font-medium text-[0.8125rem] text-muted">What arrived</h4>
          <Facts facts={visit.arrived.map(([name, value]) => [name, <span key={name}>{value}</span>])} />
        </div>
        <div className="flex min-w-0 flex-col gap-3 p-4 max-lg:border-line max-lg:border-t md:p-6">
          <h4 className="font-medium text-[0.8125rem] text-muted">Rules, in the order in which the endpoint checks</h4>
          {failed.length > 0 && (
            <ul className="flex flex-col gap-3">
              {failed.map(({ id, note }) => (
                <li className="flex gap-2.5" key={id}>
                  <X aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
                  <div className="min-w-0 text-sm leading-5">
                    <p className="font-medium">
                      <span className="sr-only">Failed: </span>
                      {whenOf(told.get(id))}
                    </p>
                    {note && <p className="wrap-anywhere text-pretty">{note}</p>}
                    <p className="text-pretty text-muted">{told.get(id)?.mend}</p>
                  </div>
                </li>
              ))}
            </ul>
          )}
          <details open={isNewest && failed.length === 0}>
            <summary className={cx(summaryLook, "text-muted")}>{countOf(passed, others.length)}</summary>
            <ul className="mt-2 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
              {others.map(({ id, verdict }) => (
                <Quiet isPassed={verdict === "passed"} key={id}>
                  {names[id] ?? id}
                </Quiet>
              ))}
            </ul>
          </details>
        </div>
      </div>
    </Panel>
  );
}

/** Without what only the answer itself has: "; issues lists the first twenty". */
export const whenOf = (rule: Pick<Refusals[number], "when"> | undefined) =>
  rule?.when.replace(/; \w+ (says which|lists the first twenty)\.$/, ".");

function countOf(passed: number, all: number): string {
  if (passed === all) return `${all} passed`;
  return passed === 0 ? `${all} not reached` : `${passed} passed, ${all - passed} not reached`;
}

/** What came of it, in words. */
export function verdictOf({ status, code, rules }: Visit): string {
  const faults = rules.filter(({ verdict }) => verdict === "failed").length;
  if (faults === 0) return rules.every(({ verdict }) => verdict === "not_reached") ? "Not judged" : "Nothing is wrong";
  return `${faults} ${faults === 1 ? "fault" : "faults"}${status < 300 && code === null ? ", but answered anyway" : ""}`;
}

const Quiet = ({ isPassed, children }: { isPassed: boolean; children: string }) => {
  const Icon = isPassed ? Check : Minus;
  return (
    <li className={cx("flex items-center gap-2 text-[0.8125rem]", isPassed ? "text-ink" : "text-faint")}>
      <Icon aria-hidden className={cx("size-3.5 shrink-0", isPassed && "text-success")} />
      {children}
      <span className="sr-only">{isPassed ? ": passed" : ": not reached"}</span>
    </li>
  );
};

/** What each rule is about, where it did not fail. */
const names: Record<string, string> = {
  method: "POST",
  origin: "Origin",
  content_encoding: "No compression",
  content_type: "Content-Type",
  accept: "Accept",
  size: "Size of the body",
  key_missing: "A key is sent",
  key: "The key works",
  json: "JSON",
  message: "JSON-RPC message",
  protocol_version: "Protocol version",
  rate: "Rate limit",
  rpc_method: "Known method",
  params: "Params",
  tool: "Known tool",
  scope: "Scope",
  arguments: "Arguments",
  cursor: "Cursor",
  store: "Store is served",
};

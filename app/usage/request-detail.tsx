import type { ReactNode } from "react";
import { bytes, duration } from "~/lib/numbers";
import { exactTime } from "~/lib/relative-time";
import type { loader } from "~/routes/admin.requests.$requestId";
import { Badge } from "~/ui/badge";
import { Banner } from "~/ui/banner";
import { CopyField } from "~/ui/copy-field";
import { Facts } from "~/ui/facts";
import { Mono } from "~/ui/mono";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { SupportLink } from "~/ui/support";
import { Time } from "~/ui/time";
import { calledName } from "./called";
import { isInterrupted, outcomeOf, type Reader, reasonFor } from "./refusals";
import { Key } from "./requests-table";

/** A request as its row has it; the same for members and operators. */
type Detail = NonNullable<Awaited<ReturnType<typeof loader>>["request"]>;

export function RequestHeader({ request }: { request: Detail }) {
  const { label, tone } = outcomeOf(request);
  return (
    <PageHeader
      badge={<Badge tone={tone}>{label}</Badge>}
      description={
        <>
          <Time at={request.at} />, {exactTime(new Date(request.at))}
        </>
      }
      title={calledName(request.tool ?? request.method)}
    />
  );
}

/** Why it was refused, in plain words, and what its reader can do about it. */
export function ReasonBanner({ request, reader }: { request: Detail; reader: Reader }) {
  if (request.errorCode === null) return null;
  const { title, why, mend } = reasonFor(request.errorCode, reader, request.endpoint);
  return (
    <Banner title={title} tone={outcomeOf(request).tone}>
      <p>{why}</p>
      <p className="pt-1.5">
        {reader === "member" && <span className="font-medium">To fix it: </span>}
        {mend}
      </p>
    </Banner>
  );
}

/** What the request was, as opposed to what belongs to it. */
const InkMono = ({ children }: { children: string }) => (
  <code className="whitespace-nowrap font-mono text-[0.8125rem]">{children}</code>
);

export function RequestFacts({
  request,
  reader,
  more = [],
}: {
  request: Detail;
  reader: Reader;
  more?: [string, ReactNode][];
}) {
  const { method, tool, status, errorCode, storeName, storeId, account, clientName, locale } = request;
  const place = [request.city, request.region, request.country].filter(Boolean).join(", ");
  const isKnown = !isInterrupted(errorCode);
  const facts: [string, ReactNode][] = [
    ...more,
    ["Method", method === "unread" ? "Not read: the key is checked first" : <InkMono key="method">{method}</InkMono>],
    ["Tool", tool && <InkMono key="tool">{tool}</InkMono>],
    ["Status", isKnown && <InkMono key="status">{errorCode ? `${status} ${errorCode}` : String(status)}</InkMono>],
    ["Came through", <Key key="key" of={request} />],
    ["Run by", account],
    ["Store", storeName ?? (storeId && <Mono key="store">{storeId}</Mono>)],
    ["Took", isKnown && duration(request.latencyUs / 1000)],
    ["Sent and received", isKnown && `${bytes(request.requestBytes)}, ${bytes(request.responseBytes)}`],
    ["Client", clientName],
    ["Locale", locale && <Mono key="locale">{locale}</Mono>],
    ["Shopper's place", place],
  ];
  return (
    <Panel title="Details">
      <div className="flex flex-col gap-5">
        <CopyField
          hint={
            reader === "operator" ? (
              "Every answer has it in X-Request-Id, and the server's log lines have it too."
            ) : (
              <>
                Every answer has it in X-Request-Id. Quote it{" "}
                <SupportLink letter={{ subject: `Request ${request.requestId}` }}>to support</SupportLink>.
              </>
            )
          }
          label="Request id"
          value={request.requestId}
        />
        <Facts facts={facts.filter(([, value]) => value !== null && value !== "" && value !== false)} />
      </div>
    </Panel>
  );
}

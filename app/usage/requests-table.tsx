import { ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import { duration, grouped } from "~/lib/numbers";
import { exactTime } from "~/lib/relative-time";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { cx } from "~/ui/cx";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { Mono, Words } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { TurnPages, useTurning } from "~/ui/turn-pages";
import { Called } from "./called";
import { isInterrupted, outcomeOf } from "./refusals";
import type { LoggedRequest, RequestLog } from "./requests";

/** One page of the log, newest first. `ofAll` shows whose each request is. */
export function RequestsTable({
  log,
  page,
  ofAll = false,
  isUnread,
  empty,
}: {
  log: RequestLog["page"];
  page: string;
  ofAll?: boolean;
  /** Its filters cannot be read, so that it was not looked through. */
  isUnread: boolean;
  empty: { title: string; words: string; action?: ReactNode };
}) {
  const { requests, previous, next, searchedTo } = log;
  const at = useTurning();
  if (isUnread) {
    return (
      <Panel flush>
        <NotSought all={page} />
      </Panel>
    );
  }
  if (requests.length === 0 && !previous && next && !searchedTo) {
    return (
      <Panel flush>
        <EmptyState
          action={
            <ButtonLink size="sm" to={at(next)}>
              Older requests
            </ButtonLink>
          }
          icon={ScrollText}
          title="No newer request matches"
        >
          Those that match are older.
        </EmptyState>
      </Panel>
    );
  }
  if (requests.length === 0 && !previous) {
    return (
      <Panel flush>
        {searchedTo ? (
          <EmptyState
            action={
              <ButtonLink size="sm" to={at(next!)}>
                Search further back
              </ButtonLink>
            }
            icon={ScrollText}
            title="No matches so far"
          >
            No request since {exactTime(new Date(searchedTo))} matches. Older ones might.
          </EmptyState>
        ) : (
          <EmptyState action={empty.action} icon={ScrollText} title={empty.title}>
            {empty.words}
          </EmptyState>
        )}
      </Panel>
    );
  }
  const shown = `${grouped(requests.length)} request${requests.length === 1 ? "" : "s"}, newest first`;
  const summary = searchedTo ? `${shown}, back to ${exactTime(new Date(searchedTo))}` : shown;
  return (
    <Panel flush footer={<TurnPages next={next} previous={previous} summary={summary} />}>
      <Table
        caption="Requests, newest first"
        columns={columns(page, ofAll)}
        rowKey={({ requestId }) => requestId}
        rows={requests}
        wide
      />
    </Panel>
  );
}

/** Undefined where nobody knows. */
const tookOf = ({ errorCode, latencyUs }: LoggedRequest) =>
  isInterrupted(errorCode) ? undefined : duration(latencyUs / 1000);

const columns = (page: string, ofAll: boolean): Column<LoggedRequest>[] => [
  {
    header: "Request",
    cell: ({ requestId, tool, method }) => (
      <>
        <TextLink prefetch="intent" to={`${page}/${requestId}`}>
          <Called value={tool ?? method} />
          <span className="sr-only">, request ending in {requestId.slice(-8)}</span>
        </TextLink>
        <Below>
          <ShortId of={requestId} />
        </Below>
      </>
    ),
  },
  {
    header: "Outcome",
    plain: true,
    cell: (request) => {
      const { label, tone } = outcomeOf(request);
      return (
        <span className="flex flex-wrap items-center gap-x-2">
          <Badge tone={tone}>{label}</Badge>
          {request.errorCode && !isInterrupted(request.errorCode) && (
            <code className="font-mono text-[0.8125rem] text-muted">
              <Words>{request.errorCode}</Words>
            </code>
          )}
        </span>
      );
    },
  },
  ...(ofAll
    ? [
        {
          header: "Consumer",
          cell: (request: LoggedRequest) => (
            <>
              {request.consumer ? <ConsumerLink name={request.consumerName} slug={request.consumer} /> : <None />}
              <Below always>
                <Key of={request} />
              </Below>
            </>
          ),
        },
      ]
    : []),
  { header: "Store", cell: ({ storeName }) => storeName ?? <None /> },
  ...(ofAll ? [] : [{ header: "Key", cell: (request: LoggedRequest) => <Key of={request} /> }]),
  { header: "Id", spare: true, cell: ({ requestId }) => <ShortId of={requestId} /> },
  { header: "Took", align: "right", spare: true, cell: (request) => tookOf(request) ?? <None /> },
  {
    header: "When",
    align: "right",
    plain: true,
    cell: (request) => {
      const took = tookOf(request);
      return (
        <>
          <Time at={request.at} />
          {took && <Below>took {took}</Below>}
        </>
      );
    },
  },
];

/** Whose a request is, with a link to all of theirs. */
export const ConsumerLink = ({ name, slug }: { name: string | null; slug: string }) => (
  <TextLink className="wrap-anywhere" title={slug} to={`/admin/requests?${new URLSearchParams({ consumer: slug })}`}>
    {name}
  </TextLink>
);

const ShortId = ({ of }: { of: string }) => <Mono>{`…${of.slice(-8)}`}</Mono>;

/** What a spare column says, where there is no room for it; `always` where there never is. */
const Below = ({ always = false, children }: { always?: boolean; children: ReactNode }) => (
  <span className={cx("text-[0.8125rem] text-muted", always ? "block" : "hidden narrow:block")}>{children}</span>
);

const None = () => (
  <span className="text-faint" data-none>
    –
  </span>
);

/** By which key, or by which other way, a request came. */
export function Key({
  of: { endpoint, keyName, keyEnd },
}: {
  of: Pick<LoggedRequest, "endpoint" | "keyName" | "keyEnd">;
}) {
  if (endpoint === "playground") return <Badge tone="accent">Playground</Badge>;
  if (endpoint === "directory") return <Badge>Directory</Badge>;
  if (keyName === null) return <span className="text-faint">Deleted key</span>;
  return (
    <span className="wrap-anywhere">
      {keyName} <Mono>{`…${keyEnd}`}</Mono>
    </span>
  );
}

// The documentation's first page: how to connect, every tool, every error, the limits, what is kept, what changed.
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { snippets } from "~/lib/snippets";
import type { AppOutputs } from "~/lib/trpc";
import { ClientSnippets } from "~/ui/client-snippets";
import { CopyField } from "~/ui/copy-field";
import { Facts } from "~/ui/facts";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { ScopeTag } from "~/ui/scope-tag";
import { SupportLink } from "~/ui/support";
import { TextLink } from "~/ui/text-link";
import { DocsFrame, DocsSection } from "./docs-frame";
import { firstSentence } from "./first-sentence";

type DocsOverview = AppOutputs["docs"]["overview"];

export function DocsOverviewPage({
  docs,
  base,
  endpoint,
  hasConsole,
}: {
  docs: DocsOverview;
  base: string;
  endpoint: string;
  /** Whether the console is the reader's, or may become so. */
  hasConsole: boolean;
}) {
  return (
    <DocsFrame base={base} tools={docs.tools}>
      <PageHeader
        description="Commerce tools over the Model Context Protocol: their arguments, answers and errors. Generated from the tools themselves, so it always matches what is served."
        title="Documentation"
      />
      <Start docs={docs} endpoint={endpoint} hasConsole={hasConsole} />
      <DocsSection
        id="tools"
        lead="All of them are read-only: none changes anything or takes an order. tools/list returns those your key's scopes allow."
        title="Tools"
      >
        <ToolList base={base} tools={docs.tools} />
      </DocsSection>
      <Errors refusals={docs.refusals} />
      <DocsSection
        id="limits"
        lead="Every counted answer carries RateLimit-Policy and RateLimit: what you may send, what is left, and when the minute ends."
        title="Limits"
      >
        <Panel>
          <Facts facts={docs.limits.map(({ what, value }) => [what, value])} />
        </Panel>
      </DocsSection>
      <DocsSection
        id="data"
        lead="What is kept about you, your calls and your shoppers, and for how long."
        title="Data"
      >
        <Panel>
          <Facts facts={docs.data.map(({ what, value }) => [what, value])} />
        </Panel>
      </DocsSection>
      <DocsSection id="changelog" title="Changelog">
        {docs.changelog.map(({ version, date, changes }) => (
          <Panel description={date} key={version} title={version}>
            <ul className="flex list-disc flex-col gap-2 pl-5 text-muted text-sm leading-6">
              {changes.map((change) => (
                <li key={change}>{unbroken(change)}</li>
              ))}
            </ul>
          </Panel>
        ))}
      </DocsSection>
    </DocsFrame>
  );
}

function Start({ docs, endpoint, hasConsole }: { docs: DocsOverview; endpoint: string; hasConsole: boolean }) {
  const facts: [string, ReactNode][] = [
    ["Transport", "Streamable HTTP, stateless: one JSON-RPC message by POST, plain JSON back, no session"],
    ["Methods", "initialize, ping, tools/list, tools/call; none needs another first"],
    ["Protocol", unbroken(`${docs.protocolVersions.join(", ")}; initialize answers ${docs.protocolVersion}`)],
    ["Authorization", "Bearer <key>; a directory endpoint (/api/mcp/p/<slug>) takes no key"],
    ["_meta in params", docs.meta],
    ["Scopes in sandbox", docs.sandboxScopes.join(", ")],
    ["Support", <Support key="support" />],
  ];
  return (
    <DocsSection
      id="start"
      lead="A key from the Keys page, three headers, one message. Link shoppers to product_url unchanged: checkout is on the merchant's own site."
      title="Start"
    >
      <CopyField label="Endpoint" value={endpoint} />
      <ClientSnippets label="Client" snippets={snippets({ endpoint })} />
      <Panel>
        <Facts facts={facts} />
      </Panel>
      <p className="text-muted text-sm leading-6">
        {hasConsole ? (
          <>
            The{" "}
            <TextLink reloadDocument to="/console/playground">
              Playground
            </TextLink>{" "}
            runs each tool without a key, and the <TextLink to="/console/doctor">client doctor</TextLink> shows what is
            wrong with a client.
          </>
        ) : (
          <>
            Platforms have a Playground, which runs each tool without a key: <TextLink to="/apply">apply</TextLink> for
            one of your own.
          </>
        )}{" "}
        For models:{" "}
        <TextLink reloadDocument to="/llms.txt">
          llms.txt
        </TextLink>
        .
      </p>
    </DocsSection>
  );
}

const Support = () => (
  <>
    Every answer carries X-Request-Id: quote it when you <SupportLink>write to support</SupportLink>
  </>
);

/** The text with its dates in one piece: browsers break lines at hyphens. */
const unbroken = (text: string) =>
  text.split(/(\d{4}-\d\d-\d\d)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same date may come twice, and nothing moves
      <span className="whitespace-nowrap" key={index}>
        {part}
      </span>
    ),
  );

const ToolList = ({ base, tools }: { base: string; tools: DocsOverview["tools"] }) => (
  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
    {tools.map(({ name, title, description, scope }) => (
      <li key={name}>
        <Link
          className="flex flex-col gap-1 px-4 py-3 -outline-offset-2 hover:bg-sunken"
          prefetch="intent"
          to={`${base}/${name}`}
        >
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <code className="font-medium font-mono text-[0.8125rem] text-accent">{name}</code>
            <span className="text-sm max-sm:order-last max-sm:basis-full">{title}</span>
            <span className="ml-auto">
              <ScopeTag>{scope}</ScopeTag>
            </span>
          </span>
          <span className="text-pretty text-[0.8125rem] text-muted leading-5">{firstSentence(description)}</span>
        </Link>
      </li>
    ))}
  </ul>
);

function Errors({ refusals }: { refusals: DocsOverview["refusals"] }) {
  return (
    <DocsSection
      id="errors"
      lead="Listed in the order in which they are checked; the first check that fails answers. A refused request gets a JSON-RPC error with data.code; what a model can fix comes back as a tool result with isError, whose text is JSON with the code. Both carry request_id."
      title="Errors"
    >
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {refusals.map(({ id, code, status, rpcCode, when, mend }) => (
          <li className="flex flex-col gap-1 px-4 py-3" key={id}>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-muted">
              <code className="font-medium font-mono text-ink">{code}</code>
              <span>HTTP {status}</span>
              <span>{rpcCode === null ? "tool result" : `JSON-RPC ${rpcCode}`}</span>
            </span>
            <span className="max-w-prose text-pretty text-[0.8125rem] leading-5">
              {when} <span className="text-muted">{mend}</span>
            </span>
          </li>
        ))}
      </ul>
    </DocsSection>
  );
}

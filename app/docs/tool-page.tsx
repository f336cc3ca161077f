// One tool: its schemas, and an example that it has just answered on the demo store.
import { FlaskConical } from "lucide-react";
import { callSnippets, KEY_PLACEHOLDER } from "~/lib/call-snippets";
import { pretty } from "~/lib/json-text";
import type { AppOutputs } from "~/lib/trpc";
import { callLink } from "~/playground/run";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { CodeBlock } from "~/ui/code-block";
import { cx } from "~/ui/cx";
import { JsonView } from "~/ui/json-view";
import { PageHeader } from "~/ui/page-header";
import { ScopeTag } from "~/ui/scope-tag";
import { Snippets } from "~/ui/snippets";
import { summaryLook } from "~/ui/summary-look";
import { DocsFrame, DocsSection } from "./docs-frame";
import { SchemaTable } from "./schema-table";

const SHOWN = 6_000;
const withoutStore =
  "There is no demo store here yet. Where the example names a store, put the id of one that your platform can read.";

export function DocsToolPage({
  tool,
  isInSandbox,
  tools,
  base,
  endpoint,
  hasConsole,
}: {
  tool: AppOutputs["docs"]["tool"];
  /** Whether its scope is among those that sandbox access begins with. */
  isInSandbox: boolean;
  tools: { name: string }[];
  base: string;
  endpoint: string;
  /** Whether the console is the reader's, or may become so. */
  hasConsole: boolean;
}) {
  const example = pretty(tool.example);
  return (
    <DocsFrame base={base} tools={tools}>
      <PageHeader
        actions={
          hasConsole && (
            <ButtonLink
              icon={<FlaskConical aria-hidden />}
              reloadDocument
              to={callLink(tool.name, example)}
              variant="primary"
            >
              Run it
            </ButtonLink>
          )
        }
        badge={<ScopeTag>{tool.scope}</ScopeTag>}
        description={tool.description}
        title={tool.name}
      />
      <DocsSection
        id="example"
        lead={tool.answer === null ? withoutStore : "On the demo store, which every platform can read."}
        title="Example"
      >
        {!isInSandbox && (
          <Banner title={`Sandbox access does not include ${tool.scope}`}>
            Until an operator grants it, with production access or on request, the call is refused with 403
            insufficient_scope.
          </Banner>
        )}
        <Snippets
          label="Language"
          snippets={callSnippets({ endpoint, key: KEY_PLACEHOLDER, tool: tool.name, args: tool.example })}
        />
      </DocsSection>
      <DocsSection id="arguments" lead="Arguments that are not listed are refused by name." title="Arguments">
        <SchemaTable noun="argument" schema={tool.inputSchema} />
        <Raw label="inputSchema" schema={tool.inputSchema} />
      </DocsSection>
      <DocsSection
        id="answer"
        lead="As structuredContent, and again as text for clients that read only text."
        title="Answer"
      >
        {tool.answer !== null && <Answer value={tool.answer} />}
        <SchemaTable noun="field" schema={tool.outputSchema} />
        <Raw label="outputSchema" schema={tool.outputSchema} />
      </DocsSection>
    </DocsFrame>
  );
}

/** Answered a moment ago by the tool itself. A long one is a tree that folds. */
function Answer({ value }: { value: unknown }) {
  const text = pretty(value);
  if (text.length <= SHOWN)
    return <CodeBlock code={text} label="structuredContent of the example, answered just now" language="json" />;
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-sunken">
      <figcaption className="border-line border-b px-4 py-2.5 text-[0.8125rem] text-muted">
        structuredContent of the example, answered just now
      </figcaption>
      <JsonView first open={2} value={value} />
    </figure>
  );
}

const Raw = ({ label, schema }: { label: string; schema: object }) => (
  <details>
    <summary className={cx(summaryLook, "font-medium text-muted")}>{label} as JSON Schema</summary>
    <div className="mt-2 rounded-lg border border-line bg-sunken">
      <JsonView open={1} value={schema} />
    </div>
  </details>
);

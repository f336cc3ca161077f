// The arguments twice, in step: a form made from the schema, and JSON; beside the JSON the call as code.
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { type Call, callSnippets } from "~/lib/call-snippets";
import { asObject, pretty } from "~/lib/json-text";
import { Panels } from "~/ui/panels";
import { SnippetCode } from "~/ui/snippets";
import type { ArgumentIssue } from "./run";
import { Skeleton } from "./skeleton";
import type { ToolSchema } from "./tool-schema";

// The two big parts come when the page stands in a browser with scripts; nobody else loads them.
// Where one of them does not come, as offline or from a server that was replaced meanwhile, JSON is typed all the same.
const SchemaForm = lazy(() => import("./schema-form").catch(() => ({ default: NoForm })));
const JsonEditor = lazy(() => import("./json-editor").catch(() => ({ default: PlainEditor })));

const LABEL = "Arguments, JSON";

export function ArgumentsPane({
  schema,
  text,
  onText,
  issues,
  call,
}: {
  schema: ToolSchema;
  /** JSON text: what is sent. Where it is no object the form is empty, until it is one again. */
  text: string;
  onText: (text: string) => void;
  issues: ArgumentIssue[];
  call: Omit<Call, "args">;
}) {
  const isAlive = useIsAlive();
  const object = asObject(text);
  const value = object ?? {};
  const onForm = (next: Record<string, unknown>) => onText(pretty(next));
  return (
    <div className="grid min-w-0 lg:grid-cols-2 lg:divide-x lg:divide-line noscript:grid-cols-1">
      <section
        aria-label="Arguments as a form"
        className="min-w-0 overflow-y-auto p-4 md:p-6 lg:max-h-128 noscript:hidden"
      >
        <WhenAlive isAlive={isAlive} otherwise={<Skeleton rows={8} />}>
          {object === undefined && (
            <p className="mb-5 text-sm leading-6">The JSON is no object as it stands. Mend it to use this form.</p>
          )}
          {/* What is typed into it would take the place of all that the JSON has. */}
          <fieldset className="min-w-0" disabled={object === undefined}>
            <SchemaForm issues={issues} onChange={onForm} schema={schema} value={value} />
          </fieldset>
        </WhenAlive>
      </section>
      <div className="min-w-0 max-lg:border-line max-lg:border-t lg:max-h-128 lg:overflow-y-auto noscript:border-none">
        <Panels
          label="Arguments as JSON, or the call as code"
          panels={[
            {
              label: "JSON",
              content: (
                <div className="h-80 lg:h-116">
                  <WhenAlive isAlive={isAlive} otherwise={<PlainEditor onChange={onText} value={text} />}>
                    <JsonEditor label={LABEL} onChange={onText} schema={schema} value={text} />
                  </WhenAlive>
                </div>
              ),
            },
            ...callSnippets({ ...call, args: value }).map((snippet) => ({
              label: snippet.label,
              content:
                object === undefined ? (
                  <p className="p-4 text-sm leading-6">
                    The JSON is no object as it stands. Mend it to see the call as code.
                  </p>
                ) : (
                  <SnippetCode {...snippet} />
                ),
            })),
          ]}
        />
      </div>
    </div>
  );
}

const WhenAlive = ({
  isAlive,
  otherwise,
  children,
}: {
  isAlive: boolean;
  otherwise: ReactNode;
  children: ReactNode;
}) => (isAlive ? <Suspense fallback={otherwise}>{children}</Suspense> : otherwise);

/** Are scripts running? Not on the server, and not until the page is theirs. */
function useIsAlive(): boolean {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return isAlive;
}

/** What was typed in the place of `text` before scripts came. It is read before React writes to the field, and told once it has. */
export function useEarlyText(text: string, onText: (text: string) => void): void {
  const [early = text] = useState(() =>
    typeof document === "undefined"
      ? undefined
      : document.querySelector<HTMLTextAreaElement>("textarea[name=arguments]")?.value,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed later is told as it is
  useEffect(() => {
    if (early !== text) onText(early);
  }, []);
}

/** What works without scripts, and until the editor has come. */
const PlainEditor = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <textarea
    aria-label={LABEL}
    className="size-full resize-none bg-transparent p-4 font-mono text-[0.8125rem] leading-6 -outline-offset-2"
    name="arguments"
    onChange={({ target }) => onChange(target.value)}
    spellCheck={false}
    value={value}
  />
);

const NoForm = () => (
  <p className="text-muted text-sm leading-6">
    The form did not load. Give the arguments as JSON, or open the page again for the form.
  </p>
);

// Form and JSON side by side, in step; run; the answer below. One call of one tool.
import { Form } from "@remix-run/react";
import { Link2, Play } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { callSnippets, KEY_PLACEHOLDER } from "~/lib/call-snippets";
import { Banner } from "~/ui/banner";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { CodeBlock } from "~/ui/code-block";
import { Panels } from "~/ui/panels";
import { Skeleton } from "~/ui/skeleton";
import { useToast } from "~/ui/toast";
import { AnswerPanel } from "./answer-panel";
import { asObject, callLink, outcomeOf, type PlaygroundTool, pretty } from "./run";
import type { ToolSchema } from "./tool-schema";
import type { Finished } from "./use-run";

// The two big parts come when the page stands in a browser with scripts; nobody else loads them.
const SchemaForm = lazy(() => import("./schema-form"));
const JsonEditor = lazy(() => import("./json-editor"));

const MAX_LINK = 8_000;

export interface Endpoints {
  api: string;
  /** Null where there is none. */
  directory: string | null;
}

export function Workbench({
  tool,
  initial,
  endpoints,
  running: { isPending, finished, problem, start },
}: {
  tool: PlaygroundTool;
  /** The arguments to begin with, as JSON text. */
  initial: string;
  endpoints: Endpoints;
  running: {
    isPending: boolean;
    finished: Finished | null;
    problem: string | undefined;
    start: (asked: { tool: string; arguments: string; asDirectory: boolean }) => Promise<void>;
  };
}) {
  const [text, setText] = useState(initial);
  const [asDirectory, setAsDirectory] = useState(finished?.asDirectory ?? false);
  const isAlive = useIsAlive();
  const schema = tool.inputSchema as ToolSchema;
  const value = asObject(text);
  const url = asDirectory && endpoints.directory ? endpoints.directory : endpoints.api;
  const run = (args = text) => start({ tool: tool.name, arguments: args, asDirectory });
  useRunKey(run);
  useShowAnswer(finished);
  const setValue = useCallback((next: Record<string, unknown>) => setText(pretty(next)), []);
  const outcome = finished?.tool === tool.name ? outcomeOf(finished.run) : null;
  const issues = outcome?.kind === "refusal" && finished?.args === text ? outcome.issues : [];
  const cursor = nextCursor(outcome);
  return (
    <>
      <Form
        className="flex flex-col border-line border-t"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
        preventScrollReset
      >
        <input name="tool" type="hidden" value={tool.name} />
        <div className="grid min-w-0 lg:grid-cols-2 lg:divide-x lg:divide-line noscript:grid-cols-1">
          <section
            aria-label="Arguments as a form"
            className="min-w-0 overflow-y-auto p-4 md:p-6 lg:max-h-128 noscript:hidden"
          >
            {isAlive ? (
              <Suspense fallback={<Skeleton rows={8} />}>
                <SchemaForm issues={issues} onChange={setValue} schema={schema} value={value ?? {}} />
              </Suspense>
            ) : (
              <Skeleton rows={8} />
            )}
          </section>
          <div className="min-w-0 max-lg:border-line max-lg:border-t lg:max-h-128 lg:overflow-y-auto">
            <Panels
              label="Arguments as JSON, or the call as code"
              panels={[
                {
                  label: "JSON",
                  content: (
                    <div className="h-80 lg:h-116">
                      {isAlive ? (
                        <Suspense fallback={<RawText onChange={setText} text={text} />}>
                          <JsonEditor label="Arguments, JSON" onChange={setText} schema={schema} value={text} />
                        </Suspense>
                      ) : (
                        <RawText onChange={setText} text={text} />
                      )}
                    </div>
                  ),
                },
                ...callSnippets({
                  endpoint: url,
                  key: url === endpoints.directory ? null : KEY_PLACEHOLDER,
                  tool: tool.name,
                  args: value ?? {},
                }).map(({ label, language, code }) => ({
                  label,
                  content: <CodeBlock bare code={code} label={label} language={language} />,
                })),
              ]}
            />
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-line border-t bg-sunken px-4 py-3 md:px-6">
          <Button icon={<Play aria-hidden />} pending={isPending} type="submit" variant="primary">
            Run
          </Button>
          <kbd className="text-faint text-xs noscript:hidden">Ctrl + Enter</kbd>
          {endpoints.directory && (
            <CheckboxField
              defaultChecked={asDirectory}
              label="As the directory endpoint answers"
              name="asDirectory"
              onChange={setAsDirectory}
            />
          )}
          <div className="ml-auto flex flex-wrap gap-2 noscript:hidden">
            <Button onClick={() => setText(pretty(tool.example))} size="sm">
              Example
            </Button>
            <Button onClick={() => setText("{}")} size="sm">
              Empty
            </Button>
            <CopyLink text={text} tool={tool.name} />
          </div>
        </div>
      </Form>
      {problem && (
        <div className="border-line border-t p-4 md:px-6">
          <Banner title={problem} tone="danger" />
        </div>
      )}
      {finished?.tool === tool.name && (
        <div className="border-line border-t bg-canvas pt-6" data-finished="">
          <AnswerPanel
            authorization={finished.asDirectory ? null : `Bearer ${KEY_PLACEHOLDER}`}
            finished={finished}
            nextPage={
              cursor && value ? (
                <Button
                  className="noscript:hidden"
                  onClick={() => {
                    const next = pretty({ ...value, cursor });
                    setText(next);
                    void run(next);
                  }}
                  size="sm"
                >
                  Next page
                </Button>
              ) : null
            }
            url={finished.asDirectory && endpoints.directory ? endpoints.directory : endpoints.api}
          />
        </div>
      )}
    </>
  );
}

/** What works without scripts, and until the editor has come. */
const RawText = ({ text, onChange }: { text: string; onChange: (text: string) => void }) => (
  <textarea
    aria-label="Arguments, JSON"
    className="size-full resize-none bg-transparent p-4 font-mono text-[0.8125rem] leading-6 -outline-offset-2"
    name="arguments"
    onChange={({ target }) => onChange(target.value)}
    spellCheck={false}
    value={text}
  />
);

function CopyLink({ tool, text }: { tool: string; text: string }) {
  const toast = useToast();
  const copy = async () => {
    const link = new URL(callLink(tool, text), window.location.href).href;
    if (link.length > MAX_LINK) return toast("These arguments are too long for a link.", "warning");
    try {
      await navigator.clipboard.writeText(link);
      toast("Link copied. It holds the tool and its arguments, and no secret.");
    } catch {
      toast("Not copied: the browser did not allow it.", "warning");
    }
  };
  return (
    <Button icon={<Link2 aria-hidden />} onClick={copy} size="sm">
      Copy link
    </Button>
  );
}

/** Are scripts running? Not on the server, and not until the page is theirs. */
function useIsAlive(): boolean {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return isAlive;
}

/** Ctrl or Cmd and Enter, wherever the focus is. */
function useRunKey(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** A new answer comes into the window; the focus stays where it was, so that the next run is one key away. */
function useShowAnswer(finished: Finished | null): void {
  const shown = useRef(finished);
  useEffect(() => {
    if (finished === shown.current) return;
    shown.current = finished;
    document.getElementById("answer")?.scrollIntoView({ block: "nearest" });
  }, [finished]);
}

function nextCursor(outcome: ReturnType<typeof outcomeOf> | null): string | undefined {
  const page =
    outcome?.kind === "answer" ? (outcome.structured.page as { next_cursor?: string } | undefined) : undefined;
  return page?.next_cursor;
}

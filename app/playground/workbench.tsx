// One call of one tool: its arguments, the run, the answer.
import { Form, useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { KEY_PLACEHOLDER } from "~/lib/call-snippets";
import { asObject, compact, pretty } from "~/lib/json-text";
import { keepFocus, placesAround, useEarlyEffect } from "~/lib/keep-focus";
import { Banner } from "~/ui/banner";
import { Button } from "~/ui/button";
import { Panel } from "~/ui/panel";
import { AnswerPanel } from "./answer-panel";
import { ArgumentsPane, useEarlyText } from "./arguments-pane";
import { type Draft, keepDraft, readDrafts } from "./drafts";
import { FROM_HISTORY } from "./history";
import { outcomeOf, type PlaygroundTool } from "./run";
import { RunBar } from "./run-bar";
import type { ToolSchema } from "./tool-schema";
import type { Finished, Problem, useRun } from "./use-run";

interface WorkbenchProps {
  /** Whom the page was loaded for: what stands around it may be of another one by now. */
  consumerId: string;
  /** Whose drafts are kept: a person at that platform. */
  owner: string;
  tool: PlaygroundTool;
  /** Tells this call from the next one that is opened, which begins anew. */
  id: string;
  /** Where another tool is chosen. */
  picker: ReactNode;
  /** The arguments to begin with, as JSON text. Where no call was opened, what was typed for the tool before goes first. */
  initial: string;
  /** Likewise, whether as the directory endpoint answers; undefined where no call was opened: then it stays as it is. */
  initialAsDirectory: boolean | undefined;
  /** Addresses; no directory endpoint is null. */
  endpoints: { api: string; directory: string | null };
  running: ReturnType<typeof useRun>;
}

export function Workbench({
  consumerId,
  owner,
  tool,
  id,
  picker,
  initial,
  initialAsDirectory,
  endpoints,
  running,
}: WorkbenchProps) {
  const { isPending, start } = running;
  const finished = running.finished?.tool === tool.name ? running.finished : null;
  const [text, setText] = useState(initial);
  const [isTicked, setTicked] = useState(initialAsDirectory ?? false);
  const isCall = initialAsDirectory !== undefined;
  const [opened, setOpened] = useState({ id, tool: tool.name });
  /** Of each tool the arguments that a call or an answer put there last: no person typed them. */
  const [given, setGiven] = useState<Partial<Record<string, string>>>(isCall ? { [tool.name]: initial } : {});
  const [typed, setTyped] = useState<Partial<Record<string, string>>>({});
  /** What stood for a tool before a call took its place. */
  const [replaced, setReplaced] = useState<Partial<Record<string, Draft>>>({});
  const [passed, setPassed] = useState<Problem>();
  const edit = (next: string) => {
    setText(next);
    keepDraft(owner, tool.name, { text: next, isTicked });
  };
  const tick = (isChosen: boolean) => {
    setTicked(isChosen);
    keepDraft(owner, tool.name, { isTicked: isChosen });
  };
  const isTouched = (before: string | undefined): before is string =>
    before !== undefined && before !== pretty(tool.example) && before !== given[tool.name];
  // What is typed later stands here already.
  useEarlyEffect(() => {
    const kept = readDrafts(owner);
    setTyped(Object.fromEntries(Object.entries(kept).map(([name, one]) => [name, one?.text])));
    const draft = kept[tool.name];
    if (!draft) return;
    if (!isCall) {
      setText(draft.text);
      setTicked(draft.isTicked);
    } else if (isTouched(draft.text)) setReplaced({ [tool.name]: draft });
  }, []);
  useEarlyText(initial, edit);
  if (opened.id !== id) {
    const kept = { ...typed, [opened.tool]: text };
    setTyped(kept);
    setOpened({ id, tool: tool.name });
    setPassed(running.problem);
    setText((isCall ? undefined : kept[tool.name]) ?? initial);
    if (isCall) {
      setTicked(initialAsDirectory);
      const before = kept[tool.name];
      if (isTouched(before)) setReplaced({ ...replaced, [tool.name]: { text: before, isTicked } });
      setGiven({ ...given, [tool.name]: initial });
    }
  }
  const draft = replaced[tool.name];
  const takeBack = (before: Draft) => {
    setText(before.text);
    setTicked(before.isTicked);
    keepDraft(owner, tool.name, before);
    setReplaced({ ...replaced, [tool.name]: undefined });
  };
  const problem = running.problem?.tool === tool.name && running.problem !== passed ? running.problem.text : undefined;
  // A link may be older than the endpoint's withdrawal.
  const asDirectory = isTicked && endpoints.directory !== null;
  const target = (directory: boolean) =>
    directory && endpoints.directory !== null
      ? { endpoint: endpoints.directory, key: null }
      : { endpoint: endpoints.api, key: KEY_PLACEHOLDER };
  const run = () => void start({ consumerId, tool: tool.name, arguments: text, asDirectory });
  useRunKey(run);
  useShowAnswer(running.finished);
  useShowProblem(problem);
  useShowOpened();
  const outcome = finished && outcomeOf(finished.run);
  // Opened again, a call stands in lines of its own.
  const isSame = (args: string) => compact(args) === compact(text);
  const isSameCall = finished !== null && isSame(finished.args);
  const answered = finished && target(finished.asDirectory);
  const runNext = (args: string, of: Finished) => {
    if (isPending) return;
    // It is asked for as the page before it was.
    const isDirectory = of.asDirectory && endpoints.directory !== null;
    // What was typed since stays, and is what the next run sends.
    if (isSame(of.args)) {
      setText(args);
      setTicked(isDirectory);
      setGiven({ ...given, [tool.name]: args });
    }
    void start({ consumerId, tool: tool.name, arguments: args, asDirectory: isDirectory });
  };
  return (
    <>
      <section aria-label={`Call of ${tool.name}`} className="min-w-0" id="call" tabIndex={-1}>
        <Panel flush>
          {picker}
          <Form
            className="flex flex-col border-line border-t"
            key={id}
            method="post"
            onSubmit={(event) => {
              event.preventDefault();
              run();
            }}
          >
            <input name="consumerId" type="hidden" value={consumerId} />
            <input name="tool" type="hidden" value={tool.name} />
            {draft && draft.text !== text && <Replaced onTakeBack={() => takeBack(draft)} />}
            <ArgumentsPane
              call={{ ...target(asDirectory), tool: tool.name }}
              issues={outcome?.kind === "refusal" && isSameCall ? outcome.issues : []}
              onText={edit}
              schema={tool.inputSchema as ToolSchema}
              text={text}
            />
            <RunBar
              directory={endpoints.directory === null ? null : { isChosen: asDirectory, onChange: tick }}
              example={pretty(tool.example)}
              isPending={isPending}
              onText={edit}
              text={text}
              tool={tool.name}
            />
          </Form>
        </Panel>
      </section>
      {problem && (
        <div id="problem">
          <Banner title={problem} tone="danger">
            {finished && "The answer below is from an earlier run."}
          </Banner>
        </div>
      )}
      {/* By its id no answer is the same words as the one before it. */}
      <p className="sr-only" role="status">
        {finished && outcome && (
          <>
            {tool.name} answered: {outcome.kind === "answer" ? "success" : outcome.code}. Its request ends in{" "}
            {finished.run.requestId.slice(-8)}.
          </>
        )}
      </p>
      {finished && answered && (
        <AnswerPanel
          authorization={answered.key && `Bearer ${answered.key}`}
          finished={finished}
          nextPage={<NextPage finished={finished} onNext={runNext} />}
          url={answered.endpoint}
        />
      )}
    </>
  );
}

const Replaced = ({ onTakeBack }: { onTakeBack: () => void }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-3 md:px-6">
    <p className="text-muted text-sm">This call took the place of what was here before.</p>
    <Button
      onClick={({ currentTarget }) => {
        keepFocus(placesAround(currentTarget));
        onTakeBack();
      }}
      size="sm"
    >
      Bring it back
    </Button>
  </div>
);

/** The same call with the answer's cursor. */
function NextPage({ finished, onNext }: { finished: Finished; onNext: (args: string, of: Finished) => void }) {
  const outcome = outcomeOf(finished.run);
  const page =
    outcome.kind === "answer" ? (outcome.structured.page as { next_cursor?: string } | undefined) : undefined;
  const args = asObject(finished.args);
  if (!page?.next_cursor || !args) return null;
  const next = pretty({ ...args, cursor: page.next_cursor });
  return (
    <Button className="noscript:hidden" onClick={() => onNext(next, finished)} size="sm">
      Next page
    </Button>
  );
}

/** Ctrl or Cmd and Enter, wherever the focus is. */
function useRunKey(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Held down it is one press.
      if (!event.repeat) latest.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Also where the same one comes again: it was gone while the call was under way. */
function useShowProblem(problem: string | undefined): void {
  useEffect(() => {
    if (problem) document.getElementById("problem")?.scrollIntoView({ block: "nearest" });
  }, [problem]);
}

/** A call of the history comes into the window, and has the focus: so it is said which one it is. */
function useShowOpened(): void {
  const { key, state } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    if (key === shown.current) return;
    shown.current = key;
    if (state !== FROM_HISTORY) return;
    const call = document.getElementById("call");
    if (!call) return;
    call.focus({ preventScroll: true });
    // Of what is higher than the window the beginning is seen: there it says what the call replaced.
    call.scrollIntoView({ block: call.offsetHeight > window.innerHeight ? "start" : "nearest" });
  }, [key, state]);
}

/**
 * A new answer comes into the window; the focus stays where it was, so that the next run is one key away. What had it may have
 * gone with the answer before: then it is the answer's.
 */
function useShowAnswer(finished: Finished | null): void {
  const shown = useRef(finished);
  useEffect(() => {
    if (finished === shown.current) return;
    shown.current = finished;
    const answer = document.getElementById("answer");
    if (document.activeElement === document.body) answer?.focus({ preventScroll: true });
    answer?.scrollIntoView({ block: "nearest" });
  }, [finished]);
}

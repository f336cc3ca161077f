// Running a tool from the browser: one call at a time, its round trip measured, and the limit counted down.
import { TRPCClientError } from "@trpc/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { trpc } from "~/lib/trpc";
import { type Rate, rateOf, type ToolRun } from "./run";

export interface Finished {
  tool: string;
  args: string;
  asDirectory: boolean;
  run: ToolRun;
  /** Milliseconds from the press to the answer, as the browser saw it; unknown where a form was sent without scripts. */
  roundTripMs: number | null;
}

interface Asked {
  /** Whom the page is about. */
  consumerId: string;
  tool: string;
  arguments: string;
  asDirectory: boolean;
}

/** What kept a call of a tool from being made. */
export interface Problem {
  tool: string;
  text: string;
}

/** @param first what was run without scripts, if anything */
export function useRun(first: Finished | null, onDone: (finished: Finished) => void) {
  const [isPending, setPending] = useState(false);
  const [finished, setFinished] = useState(first);
  const [problem, setProblem] = useState<Problem>();
  const isBusy = useRef(false);
  async function start(asked: Asked): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setPending(true);
    setProblem(undefined);
    const startedAt = performance.now();
    try {
      const run = await trpc.playground.run.mutate(asked);
      const { tool, arguments: args, asDirectory } = asked;
      const roundTripMs = performance.now() - startedAt;
      const done = { tool, args, asDirectory, run, roundTripMs };
      setFinished(done);
      onDone(done);
    } catch (error) {
      setProblem({ tool: asked.tool, text: inWords(error) });
    } finally {
      isBusy.current = false;
      setPending(false);
    }
  }
  return { isPending, finished, problem, start };
}

function inWords(error: unknown): string {
  if (!(error instanceof TRPCClientError) || !error.data) return "The server could not be reached. Try again.";
  const {
    code,
    fields,
    request_id: id,
  } = error.data as { code?: string; fields?: Record<string, string>; request_id?: string };
  if (code === "unauthenticated") return "Your session has ended. Log in again in another tab, then run it once more.";
  return fields?.arguments ?? (code === "internal_error" ? `${error.message} Request id: ${id}` : error.message);
}

/** The limit as it stands now: what the last answer said, and full again once its minute is over. */
export function useRate(loaded: Rate, finished: Finished | null): Rate {
  // Read once an answer: read anew, also beside what the page loads again, it would begin its seconds anew.
  const answered = useMemo(() => finished && rateOf(finished.run), [finished]);
  const told = answered ?? loaded;
  const [left, setLeft] = useState(told.resetSeconds);
  useEffect(() => {
    const endsAt = Date.now() + told.resetSeconds * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [told]);
  return left === 0 ? { ...told, used: 0, resetSeconds: 0 } : { ...told, resetSeconds: left };
}

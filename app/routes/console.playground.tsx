// Playground: any tool, as the consumer, without a key, through the very code of the endpoint.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ShouldRevalidateFunction, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { useAccount, useCurrent } from "~/console/current";
import { act, load } from "~/lib/api.server";
import { endpointOf } from "~/lib/endpoint.server";
import { again, typed } from "~/lib/form.server";
import { compact, pretty, readable } from "~/lib/json-text";
import { useHistory } from "~/playground/history";
import { HistoryPanel } from "~/playground/history-panel";
import { RateMeter } from "~/playground/rate-meter";
import { outcomeOf } from "~/playground/run";
import { ToolPicker } from "~/playground/tool-picker";
import { type Finished, useRate, useRun } from "~/playground/use-run";
import { Workbench } from "~/playground/workbench";
import { Banner } from "~/ui/banner";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { TextLink } from "~/ui/text-link";
import { isRejected } from "~/ui/tier-badge";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Playground · Aisle" }];
export const handle = { crumb: "Playground" };

/** Choosing a tool or a past run loads nothing: every tool is here already. Choosing another platform does. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) =>
  formMethod === undefined && currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
    ? false
    : defaultShouldRevalidate;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => ({ ...(await api.playground.read()), endpoint: endpointOf(args) }));

/** A run without scripts; with them the browser calls the same procedure. */
export async function action(args: ActionFunctionArgs) {
  const form = await typed(args.request, "consumerId", "tool", "arguments", "asDirectory");
  const asked = {
    consumerId: form.consumerId,
    tool: form.tool,
    arguments: form.arguments,
    asDirectory: form.asDirectory === "on",
  };
  const outcome = await act(args, (api) => api.playground.run(asked));
  if (!outcome.done) return again(outcome, { arguments: form.arguments, asDirectory: form.asDirectory });
  const { tool, arguments: ran, asDirectory } = asked;
  return { finished: { tool, args: ran, asDirectory, run: outcome.value, roundTripMs: null } satisfies Finished };
}

export default function PlaygroundPage() {
  const { state } = useLoaderData<typeof loader>();
  const isOpen = state !== "under_review" && state !== "revoked";
  return isOpen ? <Open /> : <Closed isRevoked={state === "revoked"} />;
}

const description = "Run any tool as your platform, without a key: the same checks, answers and usage as an API call.";

function Closed({ isRevoked }: { isRevoked: boolean }) {
  const lost = isRejected(useCurrent()) ? "The application was rejected" : "Access was revoked";
  const title = isRevoked ? lost : "No tools available yet";
  return (
    <>
      <PageHeader description={description} title="Playground" />
      <Panel flush>
        <EmptyState icon={FlaskConical} title={title}>
          {isRevoked
            ? "No tools are available to this platform. "
            : "The tools work once the application is approved. "}
          <TextLink to="/console">Overview</TextLink> shows where it stands.
        </EmptyState>
      </Panel>
    </>
  );
}

function Open() {
  const { tools, scopes, rate, consumerId, endpoint, directorySlug } = useLoaderData<typeof loader>();
  const account = useAccount();
  const answer = useActionData<typeof action>();
  const history = useHistory(consumerId);
  const [reopened, setReopened] = useState(0);
  const running = useRun(answer && "finished" in answer ? answer.finished : null, (done) => {
    const outcome = outcomeOf(done.run);
    history.add({
      at: new Date().toISOString(),
      tool: done.tool,
      args: compact(done.args),
      asDirectory: done.asDirectory,
      status: done.run.response.status,
      code: outcome.kind === "refusal" ? outcome.code : null,
      ms: done.run.ms,
      requestId: done.run.requestId,
    });
  });
  const [params] = useSearchParams();
  // The address names the tool, but after a run without scripts.
  const chosen = params.get("tool") ?? (answer && "finished" in answer ? answer.finished.tool : undefined);
  const tool = tools.find(({ name }) => name === chosen) ?? tools[0]!;
  const given = params.get("arguments");
  const givenAsDirectory = given === null ? undefined : params.get("asDirectory") === "on";
  const kept = answer && "kept" in answer ? answer.kept : undefined;
  const posted = kept ? kept.arguments : running.finished?.args;
  const postedAsDirectory = kept ? kept.asDirectory === "on" : running.finished?.asDirectory;
  return (
    <>
      <PageHeader
        actions={<RateMeter rate={useRate(rate, running.finished)} />}
        description={description}
        title="Playground"
      />
      {answer && "errors" in answer && (
        <Banner title={answer.errors.fields.arguments ?? answer.errors.message} tone="danger" />
      )}
      <Workbench
        consumerId={consumerId}
        owner={`${account.id}.${consumerId}`}
        picker={<ToolPicker current={tool} scopes={scopes} tools={tools} />}
        endpoints={{ api: endpoint, directory: directorySlug === null ? null : `${endpoint}/p/${directorySlug}` }}
        initial={answer ? posted! : given === null ? pretty(tool.example) : readable(given)}
        initialAsDirectory={answer ? postedAsDirectory : givenAsDirectory}
        id={`${reopened} ${tool.name} ${given} ${givenAsDirectory}`}
        running={running}
        tool={tool}
      />
      <HistoryPanel onClear={history.clear} onOpen={() => setReopened(reopened + 1)} runs={history.runs} />
    </>
  );
}

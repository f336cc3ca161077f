// Client doctor: a temporary address to point a client at, and, live, what it sent and which rules it breaks.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { Stethoscope } from "lucide-react";
import { useState } from "react";
import { ForThisConsumer } from "~/console/current";
import { DoctorLookUp } from "~/console/doctor-look-up";
import { DoctorVisit, verdictOf } from "~/console/doctor-visit";
import { expectShown } from "~/console/expect-shown.server";
import { act, load, named } from "~/lib/api.server";
import { curlCall, KEY_PLACEHOLDER } from "~/lib/call-snippets";
import { endpointOf } from "~/lib/endpoint.server";
import { typed } from "~/lib/form.server";
import { useLastingAnswer, useLookAgain } from "~/lib/look-again";
import { Badge } from "~/ui/badge";
import { Banner } from "~/ui/banner";
import { CodeBlock } from "~/ui/code-block";
import { CopyField } from "~/ui/copy-field";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Client doctor · Aisle" }];
export const handle = { crumb: "Client doctor" };

/** So often an open address is looked at again. */
const LOOK_AGAIN_MS = 2_000;
/** Characters: more than an id has, and as many as are read. */
const MOST_ASKED = 100;

export async function loader(args: LoaderFunctionArgs) {
  const asked = (new URL(args.request.url).searchParams.get("request") ?? "").trim().slice(0, MOST_ASKED);
  return load(args, async (api) => ({
    ...(await api.doctor.read()),
    asked,
    looked: asked === "" ? null : await named(args, api.requests.get({ requestId: asked })),
  }));
}

export async function action(args: ActionFunctionArgs) {
  const { consumerId } = await typed(args.request, "consumerId");
  const outcome = await act(args, async (api) => {
    await expectShown(api, consumerId);
    return api.doctor.open();
  });
  if (!outcome.done) return outcome.response;
  const { token, expiresAt } = outcome.value;
  return { url: `${endpointOf(args)}/doctor/${token}`, expiresAt };
}

export default function Doctor() {
  const { check, rules, asked, looked } = useLoaderData<typeof loader>();
  const answer = useLastingAnswer<typeof action>();
  const address = useAddress(answer && "url" in answer ? answer : null);
  const isOpen = check?.isOpen ?? false;
  useLookAgain(isOpen ? LOOK_AGAIN_MS : null);
  const newest = check?.visits[0];
  return (
    <>
      <PageHeader
        actions={check && <OpenAddress label="Open another address" />}
        description="Point your client at a temporary address instead of the endpoint. It answers as the endpoint does, and this page shows what arrived and which rule it breaks."
        title="Client doctor"
      />
      {answer && "errors" in answer && <Banner title={answer.errors.message} tone="danger" />}
      {address &&
        (hasEnded(address, check) ? (
          <Banner title="Your address has ended" tone="neutral">
            Requests to it are refused. To go on, open another address.
          </Banner>
        ) : (
          <Address {...address} />
        ))}
      {/* By its id no request is the same words as the one before it. */}
      <p className="sr-only" role="status">
        {newest && `${verdictOf(newest)}. The request ends in ${newest.requestId.slice(-8)}.`}
      </p>
      <section aria-label="Requests" className="flex flex-col gap-4">
        {check && <Standing check={check} />}
        {check?.visits.map((visit, index) => (
          <DoctorVisit isNewest={index === 0} key={visit.requestId} rules={rules} visit={visit} />
        ))}
        {(check?.visits.length ?? 0) === 0 && <Nothing check={check} />}
      </section>
      <DoctorLookUp asked={asked} looked={looked} rules={rules} />
    </>
  );
}

/** By its time or its requests, or by another one, opened elsewhere. A check from before says nothing of it. */
function hasEnded({ expiresAt }: Opened, check: Check | null): boolean {
  const later = Number(check?.expiresAt) - Number(new Date(expiresAt));
  return later > 0 || (later === 0 && check?.isOpen === false);
}

/** Shown in the answer to the press, and never again: only its hash is kept. */
function Address({ url, expiresAt }: Opened) {
  return (
    <Panel
      description={
        <>
          It closes <Time at={expiresAt} />, or after 20 requests. It is shown only once; requests appear below as they
          arrive.
        </>
      }
      title="Your address"
    >
      <div className="flex min-w-0 flex-col gap-4">
        <CopyField
          hint="Use it in place of the endpoint in your client; leave the key as it is."
          label="Address"
          value={url}
        />
        <CodeBlock
          code={curlCall({ endpoint: url, key: KEY_PLACEHOLDER, tool: "list_stores", args: {} })}
          label="Or try it with curl"
          language="sh"
        />
      </div>
    </Panel>
  );
}

type Check = NonNullable<Awaited<ReturnType<typeof loader>>["check"]>;

function Standing({ check }: { check: Check }) {
  const isSpent = check.requests >= check.maximum;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 className="font-semibold text-[0.9375rem]">Requests</h2>
      <Badge tone={check.isOpen ? "success" : "neutral"}>{check.isOpen ? "Listening" : "Closed"}</Badge>
      <span className="text-[0.8125rem] text-muted tabular-nums">
        {check.requests} of {check.maximum} requests
        {!isSpent && (
          <>
            ; {check.isOpen ? "closes" : "closed"} <Time at={check.expiresAt} />
          </>
        )}
      </span>
      {check.isOpen && (
        <Link
          className="hidden rounded text-[0.8125rem] text-accent underline underline-offset-4 noscript:inline"
          to=""
        >
          Refresh
        </Link>
      )}
    </div>
  );
}

const OpenAddress = ({ label }: { label: string }) => (
  <Form method="post" preventScrollReset>
    <ForThisConsumer />
    <SubmitButton icon={<Stethoscope aria-hidden />}>{label}</SubmitButton>
  </Form>
);

const Nothing = ({ check }: { check: Check | null }) => (
  <Panel flush>
    <EmptyState
      action={!check && <OpenAddress label="Check my client" />}
      icon={Stethoscope}
      title={check?.isOpen ? "Nothing has arrived yet" : "No requests"}
    >
      {check?.isOpen
        ? "Start your client. If nothing arrives, it cannot reach this host: check its address, proxy and network."
        : "Open an address: it works for 15 minutes. Point your client at it to see its requests explained here."}
    </EmptyState>
  </Panel>
);

interface Opened {
  url: string;
  expiresAt: Date | string;
}

/** Looking up a request is another place, where the form's answer is forgotten; the page shows it until it is left. */
function useAddress(opened: Opened | null): Opened | null {
  const [kept, keep] = useState(opened);
  if (opened && opened.url !== kept?.url) keep(opened);
  return opened ?? kept;
}

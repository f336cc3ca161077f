// A request by its id: what the usage log has of it, and what to do about it.
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { duration } from "~/lib/numbers";
import { StatusBadge } from "~/playground/status-badge";
import { Banner } from "~/ui/banner";
import { Button } from "~/ui/button";
import { Facts } from "~/ui/facts";
import { Panel } from "~/ui/panel";
import { TextField } from "~/ui/text-field";
import { Time } from "~/ui/time";
import { isInterrupted, outcomeOf, reasonFor } from "~/usage/refusals";
import { type Doctor, type Refusals, whenOf } from "./doctor-visit";

type LoggedRequest = NonNullable<NonNullable<Doctor["looked"]>["found"]>;

/** @param looked what was found under the id that was asked for, or why nothing was */
export function DoctorLookUp({ asked, looked, rules }: { asked: string; looked: Doctor["looked"]; rules: Refusals }) {
  return (
    <Panel
      description="Any counted request from your platform. Requests refused before they count, such as those with a wrong key, leave no record: use a temporary address for those."
      title="Look up a request"
    >
      {/* Where nothing was found, the field says why. */}
      <div className="flex flex-col gap-5" data-said={looked?.found ? "The request was found" : ""}>
        <Form className="flex flex-wrap items-start gap-3" preventScrollReset>
          <div className="min-w-0 grow basis-72 sm:max-w-md">
            <TextField
              defaultValue={asked}
              error={looked?.problem}
              follows
              label="Request id"
              mono
              name="request"
              placeholder="X-Request-Id of the answer"
            />
          </div>
          {/* As high as the field, whatever comes under that: below its label, where there is room beside it. */}
          <div className="sm:pt-6.5">
            <Button type="submit">Look up</Button>
          </div>
        </Form>
        {looked?.found && <Request request={looked.found} rules={rules} />}
      </div>
    </Panel>
  );
}

function Request({ request, rules }: { request: LoggedRequest; rules: Refusals }) {
  const { errorCode: code, status, at, endpoint, method, tool, clientName, latencyUs } = request;
  const rule = rules.find((one) => one.code === code);
  const facts: [string, ReactNode][] = [
    ["When", <Time at={at} key="at" />],
    ["Came through", { api: "A key", directory: "The directory endpoint", playground: "The Playground" }[endpoint]],
    ["Method", method],
    ["Tool", tool ?? "None"],
  ];
  if (!isInterrupted(code)) {
    facts.unshift(["Status", <StatusBadge code={code} key="status" status={status} />]);
    facts.push(["Client", clientName ?? "Not given"], ["Took", duration(latencyUs / 1000)]);
  }
  return (
    <div className="flex flex-col gap-4">
      {rule ? (
        <Banner title={whenOf(rule)!} tone="warning">
          {rule.mend}
        </Banner>
      ) : code === null ? (
        <Banner title="This request was answered" tone="success" />
      ) : (
        <Failed code={code} endpoint={endpoint} status={status} />
      )}
      <Facts facts={facts} />
    </div>
  );
}

/** What is no rule's matter. */
function Failed({ code, endpoint, status }: { code: string; endpoint: string; status: number }) {
  const { title, why, mend } = reasonFor(code, "member", endpoint);
  return (
    <Banner title={title} tone={outcomeOf({ status, errorCode: code }).tone}>
      {why} {mend}
    </Banner>
  );
}

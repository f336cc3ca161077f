// A request by its id: what the usage log has of it, and what to do about it.
import { Form } from "@remix-run/react";
import { duration } from "~/lib/numbers";
import type { AppOutputs } from "~/lib/trpc";
import { StatusBadge } from "~/playground/status-badge";
import { Banner } from "~/ui/banner";
import { Button } from "~/ui/button";
import { Facts } from "~/ui/facts";
import { Panel } from "~/ui/panel";
import { TextField } from "~/ui/text-field";
import { Time } from "~/ui/time";
import { type Refusals, whenOf } from "./doctor-visit";

type LoggedRequest = Omit<AppOutputs["doctor"]["lookUp"], "at"> & { at: Date | string };

export type Found = { kind: "found"; request: LoggedRequest } | { kind: "problem"; message: string } | null;

export function DoctorLookUp({ asked, found, rules }: { asked: string; found: Found; rules: Refusals }) {
  return (
    <Panel
      description="Any counted request of your platform. Refusals before the count, such as a wrong key, leave no row: use an address for those."
      title="Look up a request"
    >
      <div className="flex flex-col gap-5">
        <Form className="flex flex-wrap items-start gap-3" preventScrollReset>
          <div className="min-w-0 grow basis-72 sm:max-w-md">
            <TextField
              defaultValue={asked}
              error={found?.kind === "problem" ? found.message : undefined}
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
        {found?.kind === "found" && <Request request={found.request} rules={rules} />}
      </div>
    </Panel>
  );
}

function Request({ request, rules }: { request: LoggedRequest; rules: Refusals }) {
  const rule = rules.find(({ code }) => code === request.code);
  return (
    <div className="flex flex-col gap-4">
      {rule ? (
        <Banner title={whenOf(rule)!} tone="warning">
          {rule.mend}
        </Banner>
      ) : (
        <Banner
          title={request.code === null ? "This request was answered" : `Refused: ${request.code}`}
          tone={request.code === null ? "success" : "warning"}
        />
      )}
      <Facts
        facts={[
          ["Status", <StatusBadge code={request.code} key="status" status={request.status} />],
          ["When", <Time at={request.at} key="at" />],
          [
            "By",
            { api: "key", directory: "the directory endpoint", playground: "the Playground" }[request.endpoint] ??
              request.endpoint,
          ],
          ["Method", request.method],
          ["Tool", request.tool ?? "none"],
          ["Client", request.client ?? "did not say"],
          ["Took", duration(request.ms)],
        ]}
      />
    </div>
  );
}

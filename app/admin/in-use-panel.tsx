import { Badge } from "~/ui/badge";
import { Facts } from "~/ui/facts";
import { LimitMeters } from "~/ui/limit-meters";
import { Panel } from "~/ui/panel";
import type { Consumer } from "./consumer";
import type { InUse } from "./review";

/** What of the limits is used right now, and which terms were accepted: as Overview shows it to members. */
export function InUsePanel({ consumer, limits, terms }: InUse & { consumer: Consumer }) {
  return (
    <Panel title="In use">
      <div className="flex flex-col gap-5">
        <LimitMeters
          hasDirectory={consumer.state === "production" && consumer.directorySlug !== null}
          keys={{ to: `/admin/consumers/${consumer.slug}/keys`, label: "See its keys" }}
          limits={limits}
        />
        <div className="border-line border-t pt-5">
          <Facts
            facts={[["Terms accepted", <Accepted key="terms" limits={limits} state={consumer.state} terms={terms} />]]}
          />
        </div>
      </div>
    </Panel>
  );
}

/** Without access no new version is waited for. */
function Accepted({
  terms: { accepted, current },
  limits,
  state,
}: Pick<InUse, "terms" | "limits"> & Pick<Consumer, "state">) {
  const waits = accepted !== current && state !== "revoked";
  return (
    <span className="flex flex-col items-start gap-1">
      {accepted ?? "None yet"}
      {waits && (
        <>
          <Badge tone="warning">{current} not accepted</Badge>
          <span className="text-[0.8125rem] text-muted">
            {state === "under_review"
              ? "The first key waits until an owner accepts it."
              : limits.keys.active === 0
                ? "New keys wait until an owner accepts it."
                : "Existing keys keep working. New keys and rotations wait until an owner accepts it."}
          </span>
        </>
      )}
    </span>
  );
}

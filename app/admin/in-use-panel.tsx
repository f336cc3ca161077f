import { Badge } from "~/ui/badge";
import { Facts } from "~/ui/facts";
import { Meter } from "~/ui/meter";
import { Panel } from "~/ui/panel";
import { TextLink } from "~/ui/text-link";
import type { Consumer } from "./consumer";
import type { InUse } from "./review";

/** What of the limits is used right now, and which terms were accepted: as Overview shows it to members. */
export function InUsePanel({ consumer, limits, terms }: InUse & { consumer: Consumer }) {
  const { used, limit, resetSeconds } = limits.rate;
  const shared =
    consumer.directorySlug === null ? "Over all keys together." : "Over all keys and the directory endpoint together.";
  return (
    <Panel title="In use">
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-1.5">
          <Meter label="This minute" limit={limit} unit="requests" used={used} />
          <p className="text-[0.8125rem] text-faint leading-5 tabular-nums">
            {used > 0 ? `Starts anew in ${resetSeconds} s.` : shared}
          </p>
        </div>
        <div className="flex flex-col gap-1.5">
          <Meter calm label="Keys" limit={limits.keys.maximum} unit="in use" used={limits.keys.active} />
          <p className="text-[0.8125rem] text-faint leading-5">
            <TextLink to={`/admin/consumers/${consumer.slug}/keys`}>See its keys</TextLink>
          </p>
        </div>
        <div className="border-line border-t pt-5">
          <Facts facts={[["Terms accepted", <Accepted key="terms" state={consumer.state} terms={terms} />]]} />
        </div>
      </div>
    </Panel>
  );
}

/** Without access no new version is waited for. */
function Accepted({ terms: { accepted, current }, state }: Pick<InUse, "terms"> & Pick<Consumer, "state">) {
  const waits = accepted !== current && state !== "revoked";
  return (
    <span className="flex flex-col items-start gap-1">
      {accepted ?? "None yet"}
      {waits && (
        <>
          <Badge tone="warning">{current} waits</Badge>
          <span className="text-[0.8125rem] text-muted">
            Existing keys keep working. New keys and rotations wait until an owner accepts it.
          </span>
        </>
      )}
    </span>
  );
}

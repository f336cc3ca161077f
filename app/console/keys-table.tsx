import type { ComponentProps } from "react";
import { Badge } from "~/ui/badge";
import { cx } from "~/ui/cx";
import { DialogLink } from "~/ui/dialog-link";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { ScopeTag } from "~/ui/scope-tag";
import { summaryLook } from "~/ui/summary-look";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import type { Tone } from "~/ui/tone";
import { type Key, shown, whichEnded, works } from "./keys";

/** Keys that work no more; nothing where there are none. */
export const EndedKeys = ({ keys, ...more }: Pick<ComponentProps<typeof KeysTable>, "keys" | "scopes" | "log">) =>
  keys.length > 0 && (
    <Panel description={whichEnded(keys)} flush title="Expired and revoked">
      <KeysTable caption="Expired and revoked keys" keys={keys} may="look" {...more} />
    </Panel>
  );

const states: Record<Key["state"], [label: string, tone: Tone]> = {
  active: ["Active", "success"],
  superseded: ["Superseded", "warning"],
  expired: ["Expired", "neutral"],
  revoked: ["Revoked", "danger"],
};

const refused: [label: string, tone: Tone] = ["Refused", "danger"];

/**
 * A consumer's keys, never a value. `scopes` are the consumer's; `may` says what can be done to each row; `areRefused` that the
 * consumer has no access, whatever state they are in.
 * @param log the page that lists requests, by `key` where it is asked to
 */
export function KeysTable({
  caption,
  keys,
  scopes,
  may,
  areRefused = false,
  log,
}: {
  caption: string;
  keys: Key[];
  scopes: string[];
  areRefused?: boolean;
  may: "rotate and revoke" | "revoke" | "look";
  log?: string;
}) {
  const columns: Column<Key>[] = [
    {
      header: "Name",
      cell: (key) => (
        <div className="flex min-w-0 flex-col">
          <span className="wrap-anywhere font-medium">{key.name}</span>
          <Mono>{shown(key)}</Mono>
          {key.leakedAt !== null && (
            <div className="wrap-anywhere max-w-lg pt-0.5 font-normal text-[0.8125rem] text-danger">
              <Found at={key.leakedAt} />
            </div>
          )}
        </div>
      ),
    },
    { header: "Scopes", cell: (key) => <Scopes of={key.scopes} all={scopes} /> },
    {
      header: "Created",
      cell: ({ createdAt, createdBy }) => (
        <span className="flex flex-col cards:items-end">
          <Time at={createdAt} />
          {createdBy && <span className="wrap-anywhere text-[0.8125rem] text-muted">by {createdBy}</span>}
        </span>
      ),
    },
    {
      header: "Last used",
      cell: (key) =>
        log && key.lastUsedAt ? (
          <TextLink to={`${log}?key=${key.id}`}>
            <Time at={key.lastUsedAt} />
            <span className="sr-only">: requests of {which(key)}</span>
          </TextLink>
        ) : (
          <Time at={key.lastUsedAt} />
        ),
    },
    {
      header: "Expires",
      cell: ({ expiresAt, expiresSoon, revokedAt }) => {
        if (revokedAt) return <span className="text-faint">–</span>;
        if (!expiresSoon) return <Time at={expiresAt} />;
        return (
          <span className="flex flex-col items-start gap-0.5 cards:items-end">
            <Badge tone="warning">Soon, still in use</Badge>
            <span className="text-[0.8125rem] text-muted">
              <Time at={expiresAt} />
            </span>
          </span>
        );
      },
    },
    {
      header: "State",
      cell: ({ state, revokedAt }) => {
        const [label, tone] = areRefused ? refused : states[state];
        return (
          <span className="flex flex-col items-start gap-0.5 cards:items-end">
            <Badge tone={tone}>{label}</Badge>
            {revokedAt && (
              <span className="text-[0.8125rem] text-muted">
                <Time at={revokedAt} />
              </span>
            )}
          </span>
        );
      },
    },
  ];
  if (may !== "look" && keys.some(works)) {
    const canRotate = may === "rotate and revoke";
    columns.push({
      header: "Actions",
      quiet: true,
      align: "right",
      cell: (key) => <Actions canRotate={canRotate} of={key} />,
    });
  }
  return <Table caption={caption} columns={columns} rowKey={({ id }) => id} rows={keys} />;
}

const SHORT = 60;
const [START, END] = [30, 24];

/** Where a key was found. The ends of a long address say the most, whose it is and which file; all of it unfolds. */
function Found({ at }: { at: string }) {
  if (at.length <= SHORT) return <>Found in public{at && `: ${at}`}</>;
  return (
    <details>
      <summary className={cx(summaryLook, "text-danger hover:text-danger")}>
        Found in public: {`${at.slice(0, START)}…${at.slice(-END)}`}
      </summary>
      {at}
    </details>
  );
}

function Scopes({ of, all }: { of: string[]; all: string[] }) {
  // What a key may do is what both it and its consumer have.
  const effective = of.filter((scope) => all.includes(scope));
  if (effective.length === 0) return <span className="text-faint">None left</span>;
  if (effective.length === all.length) return <span title={all.join(", ")}>All {all.length}</span>;
  return (
    <span className="flex max-w-64 flex-wrap gap-1 cards:justify-end">
      {effective.map((scope) => (
        <ScopeTag key={scope}>{scope}</ScopeTag>
      ))}
    </span>
  );
}

/** Keys may share a name: their ends tell them apart. */
const which = ({ name, end }: Key) => `${name}, ending in ${end}`;

function Actions({ of: key, canRotate }: { of: Key; canRotate: boolean }) {
  return (
    <>
      {canRotate && key.state === "active" && (
        <DialogLink aria-label={`Rotate ${which(key)}`} dialog="rotate" of={key.id} size="sm">
          Rotate
        </DialogLink>
      )}
      <DialogLink aria-label={`Revoke ${which(key)}`} dialog="revoke" of={key.id} size="sm">
        Revoke
      </DialogLink>
    </>
  );
}

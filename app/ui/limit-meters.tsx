import { Meter } from "~/ui/meter";
import { TextLink } from "~/ui/text-link";

interface LimitMetersProps {
  limits: {
    rate: { limit: number; used: number; resetSeconds: number };
    keys: { maximum: number; active: number };
  };
  /** Does its directory endpoint spend the same requests? */
  hasDirectory: boolean;
  /** Where its keys are, if it may have had any. */
  keys: { to: string; label: string } | undefined;
}

/** What a consumer uses of its limits right now. */
export function LimitMeters({ limits, hasDirectory, keys }: LimitMetersProps) {
  const { used, limit, resetSeconds } = limits.rate;
  const shared = hasDirectory ? "Across all keys and the directory endpoint." : "Across all keys.";
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <Meter label="This minute" limit={limit} unit="requests" used={used} />
        <p className="text-[0.8125rem] text-faint leading-5 tabular-nums">
          {used > 0 ? `Resets in ${resetSeconds} s.` : shared}
        </p>
      </div>
      <div className="flex flex-col gap-1.5">
        <Meter calm label="Keys" limit={limits.keys.maximum} unit="in use" used={limits.keys.active} />
        {keys && (
          <p className="text-[0.8125rem] text-faint leading-5">
            <TextLink to={keys.to}>{keys.label}</TextLink>
          </p>
        )}
      </div>
    </>
  );
}

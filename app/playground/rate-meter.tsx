import { Meter } from "~/ui/meter";
import type { Rate } from "./run";

/** What is left of the Playground's minute. */
export function RateMeter({ rate: { limit, used, resetSeconds } }: { rate: Rate }) {
  return (
    <div className="w-60 max-w-full">
      <Meter label="Calls this minute" limit={limit} unit="used" used={used} />
      <p className="pt-1 text-faint text-xs tabular-nums" data-rate="">
        {used > 0
          ? `${limit - used} left; resets in ${resetSeconds} s`
          : `${limit} left, separate from the API's limit`}
      </p>
    </div>
  );
}

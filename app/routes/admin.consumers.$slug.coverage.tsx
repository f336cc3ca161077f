// Which stores a consumer reads, why each, since when; and which ended of late: what its members see, to be looked at.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { type Consumer, useConsumer } from "~/admin/consumer";
import { coveragePage } from "~/console/coverage.server";
import { reachOf } from "~/console/coverage-notice";
import { StoresPanel } from "~/console/coverage-panel";
import type { CoverageData } from "~/console/coverage-tables";
import { load } from "~/lib/api.server";
import { ButtonLink } from "~/ui/button";
import { isRejected } from "~/ui/tier-badge";
import { BackAtStart } from "~/ui/turn-pages";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `Coverage of ${params.slug} · Aisle` }];
export const handle = { crumb: "Coverage" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, ({ coverage }) => {
    const consumer = String(args.params.slug);
    return coveragePage(args, {
      list: (input) => coverage.listAny({ ...input, consumer }),
      ended: (input) => coverage.endedAny({ ...input, consumer }),
    });
  });

export default function Coverage() {
  const page = useLoaderData<typeof loader>();
  const consumer = useConsumer();
  const isEnded = page.view === "ended";
  return (
    <>
      {page.isAnew && <BackAtStart />}
      <StoresPanel
        actions={
          <ButtonLink preventScrollReset size="sm" to={isEnded ? "?" : "?view=ended"}>
            {isEnded ? "Show readable stores" : "Show ended stores"}
          </ButtonLink>
        }
        description={isEnded ? "In the last 30 days, by name." : reach(consumer, page)}
        page={page}
        title={isEnded ? "Ended stores" : "Readable stores"}
      />
    </>
  );
}

/** Of who waits for a first decision the empty list says it. */
function reach(consumer: Consumer, { hasDemoStore }: CoverageData): string | undefined {
  const { state, coverage: mode, name } = consumer;
  if (state === "production") return reachOf({ state, mode, hasDemoStore }, name);
  if (state === "under_review") return undefined;
  if (state === "revoked")
    return `None: ${isRejected(consumer) ? "the application was rejected" : "access was revoked"}.`;
  return "In sandbox, only the demo store. In production, merchants' stores too.";
}

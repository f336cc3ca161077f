// Coverage: which stores the tools answer on, why each, since when; and which ended of late.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { coveragePage } from "~/console/coverage.server";
import { CoverageNotice, reachOf } from "~/console/coverage-notice";
import { StoresPanel } from "~/console/coverage-panel";
import { useCurrent } from "~/console/current";
import { load } from "~/lib/api.server";
import { PageHeader } from "~/ui/page-header";
import { Tabs } from "~/ui/tabs";
import { BackAtStart } from "~/ui/turn-pages";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Coverage · Aisle" }];
export const handle = { crumb: "Coverage" };

export const loader = (args: LoaderFunctionArgs) => load(args, (api) => coveragePage(args, api.coverage));

export default function Coverage() {
  const page = useLoaderData<typeof loader>();
  const { name } = useCurrent();
  const isEnded = page.view === "ended";
  return (
    <>
      <PageHeader description={reachOf(page, name)} title="Coverage" />
      <CoverageNotice {...page} />
      <Tabs
        label="Stores"
        tabs={[
          { label: "Readable", to: "?", current: !isEnded },
          { label: "Ended in the last 30 days", to: "?view=ended", current: isEnded },
        ]}
      />
      {page.isAnew && <BackAtStart />}
      <StoresPanel page={page} />
    </>
  );
}

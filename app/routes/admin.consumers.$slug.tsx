// The frame of one consumer's pages.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { enteredOf, StateBadge } from "~/admin/state-badge";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { Dotted } from "~/ui/dotted";
import { PageHeader } from "~/ui/page-header";
import { Tabs } from "~/ui/tabs";
import { Time } from "~/ui/time";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const handle = { crumb: ({ consumer }: Awaited<ReturnType<typeof loader>>) => consumer.name };
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => ({ consumer: await api.consumers.get({ slug: String(args.params.slug) }) }));

const pages = [
  { path: "", label: "Access" },
  { path: "/members", label: "Members" },
  { path: "/keys", label: "Keys" },
  { path: "/coverage", label: "Coverage" },
  { path: "/usage", label: "Usage" },
  { path: "/history", label: "History" },
];

export default function Consumer() {
  const { consumer } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const base = `/admin/consumers/${consumer.slug}`;
  const isWaiting = consumer.state === "under_review" || consumer.state === "production_requested";
  return (
    <>
      <PageHeader
        badge={<StateBadge of={consumer} />}
        description={
          <Dotted>
            <span className="font-mono text-[0.8125rem]">{consumer.slug}</span>
            <span>
              {enteredOf(consumer)} <Time at={consumer.stateSince} />
            </span>
          </Dotted>
        }
        title={consumer.name}
      />
      {isWaiting && (
        <Banner
          actions={
            <ButtonLink size="sm" to={`/admin/review/${consumer.slug}`}>
              Decide
            </ButtonLink>
          }
          title={
            consumer.state === "under_review"
              ? "Its application is waiting for a decision"
              : "Its request for production access is waiting for a decision"
          }
        />
      )}
      <Tabs
        label={`Pages of ${consumer.name}`}
        tabs={pages.map(({ path, label }) => ({
          label,
          to: base + path,
          current: pathname.replace(/\/$/, "") === base + path,
        }))}
      />
      <Outlet />
    </>
  );
}

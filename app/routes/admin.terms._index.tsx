// Every version of the data-use terms, the current one first.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Plus } from "lucide-react";
import { notes } from "~/desk/notes";
import { load } from "~/lib/api.server";
import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { DoneNote } from "~/ui/done-note";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Terms · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => ({ versions: await api.terms.versions() }));

type Version = Awaited<ReturnType<typeof loader>>["versions"][number] & { isCurrent: boolean };

const columns: Column<Version>[] = [
  {
    header: "Version",
    cell: ({ version, isCurrent }) => (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
        <TextLink to={`/admin/terms/${version}`}>{version}</TextLink>
        {isCurrent && <Badge tone="success">In force</Badge>}
      </span>
    ),
  },
  { header: "Published", cell: ({ publishedAt }) => <Time at={publishedAt} /> },
  { header: "By", cell: ({ publishedBy }) => publishedBy ?? <span className="text-faint">–</span> },
  { header: "Platforms on it", align: "right", cell: ({ consumers }) => grouped(consumers) },
];

export default function Terms() {
  const { versions } = useLoaderData<typeof loader>();
  const rows = versions.map((version, index) => ({ ...version, isCurrent: index === 0 }));
  return (
    <>
      <PageHeader
        actions={
          <ButtonLink icon={<Plus aria-hidden />} to="/admin/terms/new" variant="primary">
            New version
          </ButtonLink>
        }
        description="What platforms agree to. When a new version is published, keys cannot be issued or rotated until an owner accepts it; existing keys keep working."
        title="Data-use terms"
      />
      <DoneNote notes={notes} />
      <Panel flush>
        <Table caption="Versions" columns={columns} rowKey={({ version }) => version} rows={rows} />
      </Panel>
    </>
  );
}

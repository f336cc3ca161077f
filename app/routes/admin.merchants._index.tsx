// The register of merchants: search, page through, and make another.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Building2, Plus, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { NameDialog } from "~/desk/merchant-dialogs";
import { act, load, paged, sought } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { again, typed } from "~/lib/form.server";
import { listParams } from "~/lib/list-params.server";
import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { DialogLink } from "~/ui/dialog-link";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { SearchForm } from "~/ui/search-form";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Merchants · Aisle" }];
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) => {
  const { query: typedQuery, cursor } = listParams(args.request);
  const query = typedQuery || undefined;
  return load(args, async (api) => {
    const read = (at: string | undefined) => api.merchants.list({ query, cursor: at });
    return { query, ...(await sought(args, ["query"], paged(args, cursor, read))) };
  });
};

export async function action(args: ActionFunctionArgs) {
  const { name, shown } = await typed(args.request, "name", "shown");
  const outcome = await act(args, (api) => api.merchants.create({ name, shown }));
  return outcome.done ? redirect(`/admin/merchants/${outcome.value.id}`) : again(outcome, { name, shown });
}

type Found = NonNullable<Awaited<ReturnType<typeof loader>>["found"]>;
type Merchant = Found["merchants"][number];

const columns: Column<Merchant>[] = [
  {
    header: "Merchant",
    cell: ({ id, name }) => (
      <span className="wrap-anywhere font-medium">
        <TextLink to={`/admin/merchants/${id}`}>{name}</TextLink>
      </span>
    ),
  },
  {
    header: "Stores",
    align: "right",
    cell: ({ stores }) => (stores > 0 ? grouped(stores) : <Badge tone="warning">None yet</Badge>),
  },
  { header: "With AI Discovery on", align: "right", cell: ({ discoverable }) => grouped(discoverable) },
  {
    header: "People",
    align: "right",
    cell: ({ members }) => (members > 0 ? grouped(members) : <Badge tone="warning">No one yet</Badge>),
  },
  { header: "Since", align: "right", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export default function Merchants() {
  const { found, problems, query } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, closeTo } = useDialogParams();
  // Then the list itself has the button.
  const isNone = !query && found?.merchants.length === 0;
  const newButton = (
    <DialogLink dialog="new" icon={<Plus aria-hidden />} variant="primary">
      New merchant
    </DialogLink>
  );
  return (
    <>
      <PageHeader
        actions={!isNone && newButton}
        description="Companies with stores here. Merchants decide which platforms may read them; you set up stores and choose who acts for them."
        title="Merchants"
      />
      <SearchForm
        clearTo={query !== undefined && "/admin/merchants"}
        error={problems.query}
        label="Merchant, store or address"
        value={query}
      />
      {found ? (
        <List {...found} newButton={newButton} query={query} />
      ) : (
        <Panel flush>
          <NotSought all="?" />
        </Panel>
      )}
      {dialog === "new" && (
        <NameDialog
          closeTo={closeTo}
          errors={answer?.errors}
          label="Create merchant"
          name={answer?.kept.name}
          of={{ newest: "", posted: answer?.kept.shown }}
          title="New merchant"
        />
      )}
    </>
  );
}

function List({
  merchants,
  previous,
  next,
  isAnew,
  query,
  newButton,
}: Found & { query: string | undefined; newButton: ReactNode }) {
  return (
    <>
      {isAnew && <BackAtStart />}
      <Panel
        flush
        footer={
          (previous || next) && (
            <TurnPages next={next} previous={previous} summary={`${merchants[0]?.name} to ${merchants.at(-1)?.name}`} />
          )
        }
      >
        {merchants.length > 0 ? (
          <Table caption="Merchants" columns={columns} rowKey={({ id }) => id} rows={merchants} />
        ) : query ? (
          <EmptyState action={<ButtonLink to="?">Show all</ButtonLink>} icon={SearchX} title="Nothing found">
            No merchant or store has “{query}” in its name or address.
          </EmptyState>
        ) : (
          <EmptyState action={newButton} icon={Building2} title="No merchant yet">
            A merchant has stores, and people who decide which agents may read them.
          </EmptyState>
        )}
      </Panel>
    </>
  );
}

// A store's products: found by word or id, and kept from agents one by one.
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Package } from "lucide-react";
import { act, load, paged, sought } from "~/lib/api.server";
import { typed } from "~/lib/form.server";
import { listParams } from "~/lib/list-params.server";
import { useShown } from "~/lib/use-shown";
import { catalogueOf } from "~/merchant/catalogue";
import { doneAt, notes } from "~/merchant/notes";
import { useStore } from "~/merchant/store";
import { storeTitle } from "~/merchant/store-title";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { boxLook } from "~/ui/checkbox-field";
import { DoneNote } from "~/ui/done-note";
import { Dotted } from "~/ui/dotted";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { LongMono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { SearchForm } from "~/ui/search-form";
import { SubmitButton } from "~/ui/submit-button";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta = storeTitle("Products");

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { query, cursor, params } = listParams(args.request);
    const excluded = params.has("excluded");
    const filters = { store: args.params.slug!, ...(query && { query }), ...(excluded && { excluded }) };
    const read = (at: string | undefined) => api.merchant.products({ ...filters, cursor: at });
    return { query, excluded, ...(await sought(args, ["query"], paged(args, cursor, read))) };
  });

export async function action(args: ActionFunctionArgs) {
  const { intent, product } = await typed(args.request, "intent", "product");
  const excluded = intent === "exclude";
  const input = { store: args.params.slug!, productId: product, excluded };
  const outcome = await act(args, (api) => api.merchant.setExcluded(input));
  return outcome.done ? redirect(doneAt(args.request, excluded ? "excluded" : "included")) : outcome.response;
}

type Row = NonNullable<Awaited<ReturnType<typeof loader>>["found"]>["rows"][number];

const availabilities: Record<Row["availability"], string> = {
  in_stock: "In stock",
  out_of_stock: "Out of stock",
  preorder: "Preorder",
  backorder: "Backorder",
  discontinued: "Discontinued",
};

const columns: Column<Row>[] = [
  {
    header: "Product",
    cell: ({ productId, title, brand, excluded }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere flex min-h-5.5 flex-wrap items-center gap-2">
          {title} {excluded && <Badge tone="warning">Excluded</Badge>}
        </span>
        <span className="text-[0.8125rem] text-muted">
          <Dotted>
            {brand}
            <LongMono>{productId}</LongMono>
          </Dotted>
        </span>
      </span>
    ),
  },
  { header: "Price", align: "right", cell: (product) => <Price of={product} /> },
  {
    header: "Availability",
    cell: ({ availability, vanished }) => availabilities[vanished ? "discontinued" : availability],
  },
  { header: "As of", cell: ({ dataAsOf }) => <Time at={dataAsOf} /> },
  { header: "Actions", quiet: true, align: "right", cell: (product) => <Toggle of={product} /> },
];

function Price({ of: { price, salePrice } }: { of: Row }) {
  if (!salePrice) return price.formatted;
  return (
    <span className="inline-flex flex-col cards:flex-row-reverse cards:flex-wrap cards:items-baseline cards:gap-x-2">
      {salePrice.formatted}
      <s className="text-[0.8125rem] text-muted">
        <span className="sr-only">before: </span>
        {price.formatted}
      </s>
    </span>
  );
}

const Toggle = ({ of: { productId, title, excluded } }: { of: Row }) => (
  <Form method="post" preventScrollReset>
    <input name="intent" type="hidden" value={excluded ? "include" : "exclude"} />
    <input name="product" type="hidden" value={productId} />
    <SubmitButton
      aria-label={`${excluded ? "Include" : "Exclude"} ${title}, ${productId}`}
      size="sm"
      variant="secondary"
    >
      {excluded ? "Include" : "Exclude"}
    </SubmitButton>
  </Form>
);

export default function Products() {
  const { found, problems, query, excluded } = useLoaderData<typeof loader>();
  const box = useShown<HTMLInputElement>(excluded);
  const all = `/merchant/stores/${useStore().slug}/products`;
  const answer = useActionData<typeof action>();
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      <Refusal errors={answer?.errors} />
      <SearchForm
        clearTo={(query !== "" || excluded) && all}
        error={problems.query}
        label="Product words or id"
        value={query}
      >
        <label className="flex h-9 items-center gap-2 text-sm max-sm:grow sm:mx-2">
          <input className={boxLook} defaultChecked={excluded} name="excluded" ref={box} type="checkbox" />
          Only excluded
        </label>
      </SearchForm>
      {found?.isAnew && <BackAtStart />}
      <Panel flush footer={(found?.previous || found?.next) && <TurnPages {...found} summary="By product id" />}>
        {!found ? (
          <NotSought all={all} />
        ) : found.rows.length > 0 ? (
          <Table caption="Products" columns={columns} rowKey={({ productId }) => productId} rows={found.rows} />
        ) : (
          <Nothing excluded={excluded} query={query} />
        )}
      </Panel>
    </>
  );
}

function Nothing({ query, excluded }: { query: string; excluded: boolean }) {
  const { id, slug } = useStore();
  if (query !== "" || excluded) {
    return (
      <EmptyState
        action={<ButtonLink to={`/merchant/stores/${slug}/products`}>Show all</ButtonLink>}
        icon={Package}
        title={query === "" ? "Nothing is excluded" : "Nothing matches"}
      >
        {query === ""
          ? "Products you exclude are listed here. Agents cannot find them."
          : "Try other words, or a product's full id."}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={<ButtonLink to={catalogueOf(id)}>Go to the catalogue</ButtonLink>}
      icon={Package}
      title="No product yet"
    >
      Load a catalogue to see its products here.
    </EmptyState>
  );
}

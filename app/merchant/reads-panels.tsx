import { Package, Wrench } from "lucide-react";
import { grouped } from "~/lib/numbers";
import type { loader } from "~/routes/merchant.agents.$platform";
import { Badge } from "~/ui/badge";
import { EmptyState } from "~/ui/empty-state";
import { LongMono, Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";

type Reads = Awaited<ReturnType<typeof loader>>["reads"];

const counts = [
  { header: "7 days", align: "right" as const, cell: ({ last7 }: { last7: number }) => grouped(last7) },
  { header: "30 days", align: "right" as const, cell: ({ last30 }: { last30: number }) => grouped(last30) },
];

const tools: Column<Reads["tools"][number]>[] = [
  { header: "Tool", cell: ({ tool }) => <Mono>{tool}</Mono> },
  ...counts,
];

const products: Column<Reads["products"][number]>[] = [
  {
    header: "Product",
    cell: ({ productId, title, excluded }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere flex flex-wrap items-center gap-2">
          {title} {excluded && <Badge tone="warning">Excluded</Badge>}
        </span>
        <LongMono>{productId}</LongMono>
      </span>
    ),
  },
  ...counts,
];

/** What a platform read of a store: by tool, and the products that it asked for by name. */
export function ReadsPanels({ reads, storeName }: { reads: Reads; storeName: string }) {
  const part = reads.ofLatest === null ? "" : ` Only the latest ${grouped(reads.ofLatest)} reads are included.`;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Panel
        description={`Answered calls about ${storeName} alone. Searches across several stores are not counted.${part}`}
        flush
        title="By tool"
      >
        {reads.tools.length > 0 ? (
          <Table caption="Reads by tool" columns={tools} rowKey={({ tool }) => tool} rows={reads.tools} />
        ) : (
          <EmptyState icon={Wrench} title="No calls in 30 days">
            Once the platform calls a tool on this store, its calls are counted here.
          </EmptyState>
        )}
      </Panel>
      <Panel description={`Requested by id; search results are not counted.${part}`} flush title="Top products">
        {reads.products.length > 0 ? (
          <Table
            caption="Most requested products"
            columns={products}
            rowKey={({ productId }) => productId}
            rows={reads.products}
          />
        ) : (
          <EmptyState icon={Package} title="No products in 30 days">
            The ten products that the platform requests most are listed here.
          </EmptyState>
        )}
      </Panel>
    </div>
  );
}

// The platforms of one standing to a store, and what is said where there is none.
import { Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { grouped } from "~/lib/numbers";
import type { Data } from "~/routes/merchant.agents._index";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { Decisions } from "./decisions";
import { type Standing, standings, standingWords } from "./standing";

type Row = NonNullable<Data["found"]>["rows"][number];

/** In a list, a platform in explicit coverage that stands open was granted; of blocked ones it shows on their page. */
export const decidable = (row: Row) => ({
  ...row,
  granted: row.coverage === "explicit" && (row.standing === "reading" || row.standing === "discovery_off"),
});

export const AgentsTable = ({
  rows,
  show,
  store,
  isDemo,
}: {
  rows: Row[];
  show: Standing;
  store: string;
  isDemo: boolean;
}) => (
  <Table
    caption={`Platforms: ${standingWords[show][0]}`}
    columns={columnsFor(store, isDemo)}
    rowKey={({ slug }) => slug}
    rows={rows}
  />
);

function columnsFor(store: string, isDemo: boolean): Column<Row>[] {
  const columns: Column<Row>[] = [
    {
      header: "Platform",
      cell: ({ slug, name, company }) => (
        <span className="flex min-w-0 flex-col">
          <TextLink to={`/merchant/agents/${slug}?${new URLSearchParams({ store })}`}>{name}</TextLink>
          {company && company !== name && <span className="text-[0.8125rem] text-muted">{company}</span>}
        </span>
      ),
    },
    {
      header: "Reads stores",
      cell: ({ coverage }) => (coverage === "explicit" ? "When granted" : "By default"),
    },
    { header: "Since", cell: ({ since }) => <Time at={since} fallback="–" /> },
    { header: "Reads, 7 days", align: "right", cell: ({ last7 }) => grouped(last7) },
    { header: "Reads, 30 days", align: "right", cell: ({ last30 }) => grouped(last30) },
    { header: "Last read", cell: ({ lastAt }) => <Time at={lastAt} fallback="Not in 30 days" /> },
  ];
  if (isDemo) return columns;
  return [
    ...columns,
    { header: "Actions", quiet: true, align: "right", cell: (row) => <Decisions of={decidable(row)} store={store} /> },
  ];
}

const emptyWords: Record<Standing, [title: string, why: string]> = {
  reading: [
    "No platform can read the store yet",
    "When a platform goes live, it is listed here and you get a notification. You can block it then.",
  ],
  discovery_off: ["No platforms waiting", "Platforms that could read the store with AI Discovery on are listed here."],
  blocked: ["You have not blocked any platform", "Platforms you block are listed here, so you can unblock them."],
  not_granted: [
    "No platform is waiting for a grant",
    "Platforms that need a grant to read a store are listed here until you grant them yours.",
  ],
  ended: ["No platform has lost access", "Platforms that lose production access are listed here."],
};

/** Where there are others, which do not. @param tabs how many list them */
const noneReading = (tabs: number): (typeof emptyWords)[Standing] => [
  "No platform can read the store now",
  `The other ${tabs === 1 ? "tab lists" : "tabs list"} the rest. When another goes live, it is listed here and you get a notification.`,
];

export function Nothing({ show, query, store, counts }: Pick<Data, "show" | "query" | "store" | "counts">): ReactNode {
  if (query) {
    const all = `?${new URLSearchParams({ store, show })}`;
    return (
      <EmptyState
        action={<ButtonLink to={all}>Show all</ButtonLink>}
        icon={Sparkles}
        title={`Nothing matches “${query}”`}
      >
        Search for part of the platform's or company's name.
      </EmptyState>
    );
  }
  const others = standings.filter((each) => counts[each] > 0).length;
  const [title, why] = show === "reading" && others > 0 ? noneReading(others) : emptyWords[show];
  return (
    <EmptyState icon={Sparkles} title={title}>
      {why}
    </EmptyState>
  );
}

import type { loader } from "~/routes/console._index";

/** What the Overview page shows of a consumer. */
export type Overview = Awaited<ReturnType<typeof loader>>["overview"];

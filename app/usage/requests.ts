import type { loader } from "~/routes/console.requests._index";

export type RequestLog = Awaited<ReturnType<typeof loader>>;
export type LoggedRequest = RequestLog["page"]["requests"][number];
export type TypedFilters = RequestLog["typed"];

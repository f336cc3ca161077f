import type { loader } from "~/routes/console.usage";

export type UsageReport = Awaited<ReturnType<typeof loader>>["report"];
export type Dimension = keyof UsageReport["shares"];
export type Share = UsageReport["shares"][Dimension][number];

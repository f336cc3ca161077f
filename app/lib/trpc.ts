// The browser's tRPC client, for what is interactive; pages load through their loaders.
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { AppRouter } from "../../server/trpc/router";

export type { AppOutputs } from "../../server/trpc/router";

export const trpc = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: "/api/trpc", maxItems: 10 })] });

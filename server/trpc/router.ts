// Every procedure, by capability. The pages' caller and /api/trpc share it.
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { accountRouter } from "./account";
import { catalogueRouter } from "./catalogue";
import { applicationRouter, consumerRouter, termsRouter } from "./consumer";
import { keysRouter } from "./keys";
import { merchantRouter } from "./merchant";
import { reviewRouter } from "./review";
import { createCallerFactory, router } from "./trpc";

export const appRouter = router({
  account: accountRouter,
  application: applicationRouter,
  catalogue: catalogueRouter,
  consumer: consumerRouter,
  keys: keysRouter,
  merchant: merchantRouter,
  review: reviewRouter,
  terms: termsRouter,
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type AppCaller = ReturnType<typeof createCaller>;
export type AppInputs = inferRouterInputs<AppRouter>;
export type AppOutputs = inferRouterOutputs<AppRouter>;

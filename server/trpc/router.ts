// Every procedure, by capability. The pages' caller and /api/trpc share it.
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { accountRouter } from "./account";
import { agentsRouter } from "./agents";
import { applicationRouter, consumerRouter, termsRouter } from "./consumer";
import { consumersRouter } from "./consumers";
import { keysRouter } from "./keys";
import { merchantRouter } from "./merchant";
import { notificationsRouter } from "./notifications";
import { reviewRouter } from "./review";
import { createCallerFactory, router } from "./trpc";

export const appRouter = router({
  account: accountRouter,
  agents: agentsRouter,
  application: applicationRouter,
  consumer: consumerRouter,
  consumers: consumersRouter,
  keys: keysRouter,
  merchant: merchantRouter,
  notifications: notificationsRouter,
  review: reviewRouter,
  terms: termsRouter,
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type AppCaller = ReturnType<typeof createCaller>;
export type AppInputs = inferRouterInputs<AppRouter>;
export type AppOutputs = inferRouterOutputs<AppRouter>;

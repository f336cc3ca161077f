// Every procedure, by capability. The pages' caller and /api/trpc share it.
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { accountRouter } from "./account";
import { applicationRouter, consumerRouter, termsRouter } from "./consumer";
import { docsRouter } from "./docs";
import { doctorRouter } from "./doctor";
import { keysRouter } from "./keys";
import { merchantRouter } from "./merchant";
import { playgroundRouter } from "./playground";
import { reviewRouter } from "./review";
import { createCallerFactory, router } from "./trpc";

export const appRouter = router({
  account: accountRouter,
  application: applicationRouter,
  consumer: consumerRouter,
  docs: docsRouter,
  doctor: doctorRouter,
  keys: keysRouter,
  merchant: merchantRouter,
  playground: playgroundRouter,
  review: reviewRouter,
  terms: termsRouter,
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type AppCaller = ReturnType<typeof createCaller>;
export type AppInputs = inferRouterInputs<AppRouter>;
export type AppOutputs = inferRouterOutputs<AppRouter>;

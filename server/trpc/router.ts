// Every procedure, by capability. The pages' caller and /api/trpc share it.
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { accountRouter } from "./account";
import { applicationRouter, consumerRouter, termsRouter } from "./consumer";
import { auditRouter, settingsRouter } from "./desk";
import { keysRouter } from "./keys";
import { merchantRouter } from "./merchant";
import { invitationRouter, merchantsRouter } from "./merchants";
import { reviewRouter } from "./review";
import { createCallerFactory, router } from "./trpc";

export const appRouter = router({
  account: accountRouter,
  application: applicationRouter,
  audit: auditRouter,
  consumer: consumerRouter,
  invitation: invitationRouter,
  keys: keysRouter,
  merchant: merchantRouter,
  merchants: merchantsRouter,
  review: reviewRouter,
  settings: settingsRouter,
  terms: termsRouter,
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type AppCaller = ReturnType<typeof createCaller>;
export type AppInputs = inferRouterInputs<AppRouter>;
export type AppOutputs = inferRouterOutputs<AppRouter>;

// Every procedure, by capability. The pages' caller and /api/trpc share it.
import type { inferRouterOutputs } from "@trpc/server";
import { accountRouter } from "./account";
import { agentsRouter } from "./agents";
import { catalogueRouter } from "./catalogue";
import { applicationRouter, consumerRouter, termsRouter } from "./consumer";
import { consumersRouter } from "./consumers";
import { coverageRouter } from "./coverage";
import { auditRouter, settingsRouter } from "./desk";
import { docsRouter } from "./docs";
import { doctorRouter } from "./doctor";
import { keysRouter } from "./keys";
import { merchantRouter } from "./merchant";
import { invitationRouter, merchantsRouter } from "./merchants";
import { notificationsRouter } from "./notifications";
import { playgroundRouter } from "./playground";
import { reviewRouter } from "./review";
import { createCallerFactory, router } from "./trpc";
import { requestsRouter, usageRouter } from "./usage";

export const appRouter = router({
  account: accountRouter,
  agents: agentsRouter,
  application: applicationRouter,
  audit: auditRouter,
  catalogue: catalogueRouter,
  consumer: consumerRouter,
  consumers: consumersRouter,
  coverage: coverageRouter,
  keys: keysRouter,
  merchant: merchantRouter,
  notifications: notificationsRouter,
  invitation: invitationRouter,
  merchants: merchantsRouter,
  docs: docsRouter,
  doctor: doctorRouter,
  playground: playgroundRouter,
  requests: requestsRouter,
  review: reviewRouter,
  settings: settingsRouter,
  terms: termsRouter,
  usage: usageRouter,
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type AppCaller = ReturnType<typeof createCaller>;
export type AppOutputs = inferRouterOutputs<AppRouter>;

import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) => load(args, (api) => api.merchants.get({ id: args.params.id! }));

export const handle = { crumb: ({ name }: Awaited<ReturnType<typeof loader>>) => name };

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";

export const action = ({ request, context }: ActionFunctionArgs) => context.trpc(request);
export const loader = ({ request, context }: LoaderFunctionArgs) => context.trpc(request);

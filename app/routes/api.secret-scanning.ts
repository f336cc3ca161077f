import type { ActionFunctionArgs } from "@remix-run/node";

export const action = ({ request, context }: ActionFunctionArgs) => context.leakReports(request);

export const loader = () => Response.json({ message: "Use POST." }, { status: 405, headers: { Allow: "POST" } });

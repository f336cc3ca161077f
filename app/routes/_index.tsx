import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";

export const meta: MetaFunction = () => [
  { title: "Aisle: the service through which AI agents read shops" },
  { name: "description", content: "Commerce tools over the Model Context Protocol, on real merchants' catalogues." },
];

export function loader({ request }: LoaderFunctionArgs) {
  return { endpoint: new URL("/api/mcp", request.url).href };
}

export default function Index() {
  const { endpoint } = useLoaderData<typeof loader>();
  return <main>{endpoint}</main>;
}

// All that is stored about the person who asks, to be saved.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { downloadJson } from "~/lib/download.server";

export const loader = async (args: LoaderFunctionArgs) =>
  downloadJson("aisle-data.json", await load(args, (api) => api.account.ownData()));

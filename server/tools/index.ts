// Every tool, in the fixed order of tools/list. A new tool is one file and one line here.
import { getStoreInfo } from "./get-store-info";
import { listStores } from "./list-stores";
import type { Tool } from "./tool";

export const tools: readonly Tool[] = [listStores, getStoreInfo];

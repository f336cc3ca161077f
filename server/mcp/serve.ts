// What both adapters call: the endpoint, or the client doctor's way into it.
import type { Core } from "../context";
import type { Answer } from "./answers";
import { examine } from "./doctor";
import { type Exchange, handle, type McpConfig } from "./handle";

/** What is known of a request besides its method, headers and body. */
export interface Arrival {
  requestId: string;
  address: string;
  directorySlug: string | undefined;
  /** At an address of the client doctor: its token, and the query string. */
  doctor?: { token: string; query: string } | undefined;
}

export const serve = (core: Core, config: McpConfig, exchange: Exchange, { doctor }: Arrival): Promise<Answer> =>
  doctor ? examine(core, config, exchange, doctor) : handle(core, config, exchange);

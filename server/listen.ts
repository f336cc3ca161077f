// A server of ours takes its port.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

const LAST_PORT = 65_535;

/**
 * @param variable what `port` was set by
 * @returns the port, also where it was 0 and the system chose one
 * @throws Error that names `variable` when the port is in use
 */
export async function listen(server: Server, variable: string, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    const other = port === LAST_PORT ? port - 1 : port + 1;
    throw new Error(`Port ${port} of ${host} is in use. Set ${variable} to a free one: ${variable}=${other} npm start`);
  });
  return (server.address() as AddressInfo).port;
}

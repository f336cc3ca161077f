import type { loader } from "~/routes/console.keys";

export type Key = Awaited<ReturnType<typeof loader>>["keys"][number];

/** Does the endpoint answer to it? */
export const works = ({ state }: Key) => state === "active" || state === "superseded";

/** How a key is told from others without its value. */
export const shown = ({ start, end }: Pick<Key, "start" | "end">) => `${start}…${end}`;

import type { loader } from "~/routes/console.keys";
import type { Notes } from "~/ui/done-note";

export type Key = Awaited<ReturnType<typeof loader>>["keys"][number];

/** Does the endpoint answer to it? */
export const works = ({ state }: Key) => state === "active" || state === "superseded";

/** How a key is told from others without its value. */
export const shown = ({ start, end }: Pick<Key, "start" | "end">) => `${start}…${end}`;

/** What was done to a key, as the page that follows tells it. */
export const keyNotes = { revoked: ["The key is revoked", "Its next call is refused."] } as const satisfies Notes;

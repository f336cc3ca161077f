import { useSearchParams } from "@remix-run/react";
import type { loader } from "~/routes/console.keys";
import type { Notes } from "~/ui/done-note";

export type Key = Awaited<ReturnType<typeof loader>>["keys"][number];

/** Does the endpoint answer to it, as long as its platform has access? */
export const works = ({ state }: Key) => state === "active" || state === "superseded";

/** What stands above the keys that are neither expired nor revoked: without access all of them are refused. */
export const workingTitle = (areRefused: boolean) => (areRefused ? "Refused keys" : "Working keys");

/** Until when they are. */
export const REFUSED = "They work again once the platform has access.";

const MOST_ENDED = 200;

/** What is said of the keys that work no more: only so many of them are listed (server/services/keys.ts). */
export const whichEnded = (ended: Key[]) =>
  ended.length < MOST_ENDED ? undefined : `The ${MOST_ENDED} that ended last.`;

/** How a key is told from others without its value. */
export const shown = ({ start, end }: Pick<Key, "start" | "end">) => `${start}…${end}`;

/** The address of the page that tells which key was revoked. */
export const revokedAt = (page: string, id: string) => `${page}?${new URLSearchParams({ done: "revoked", key: id })}`;

/** What was done to a key, as the page that follows tells it. */
export function useKeyNotes(keys: Pick<Key, "id" | "name" | "start" | "end">[]): Notes {
  const id = useSearchParams()[0].get("key");
  const key = keys.find((one) => one.id === id);
  const which = key ? `The key ${key.name} (${shown(key)})` : "The key";
  return { revoked: [`${which} is revoked`, "Its next call is refused."] };
}

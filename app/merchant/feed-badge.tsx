import { Badge } from "~/ui/badge";

/** What is wrong with a store's feed by its address, wherever its catalogue is in a list; nothing where it is well. */
export function FeedBadge({ feed }: { feed: "failing" | "off" | null }) {
  if (feed === null) return null;
  return feed === "off" ? <Badge tone="danger">Feed off</Badge> : <Badge tone="warning">Feed failing</Badge>;
}

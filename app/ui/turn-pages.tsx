import { useSearchParams } from "@remix-run/react";
import { withoutDialog } from "~/lib/dialog";
import { Pagination } from "./pagination";

/** The foot of a list: the pages before and after, at this address but for where it stands. */
export function TurnPages({
  summary,
  previous,
  next,
}: {
  summary: string;
  previous: string | undefined;
  next: string | undefined;
}) {
  const [params] = useSearchParams();
  const to = (cursor: string | undefined) => {
    if (cursor === undefined) return undefined;
    const rest = withoutDialog(params);
    rest.delete("done");
    rest.set("cursor", cursor);
    return `?${rest}`;
  };
  return <Pagination next={to(next)} previous={to(previous)} summary={summary} />;
}

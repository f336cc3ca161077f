import { useSearchParams } from "@remix-run/react";
import type { ComponentProps } from "react";
import { withoutDialog } from "~/lib/dialog";
import { useIsSending, waiting } from "~/lib/is-sending";
import { ButtonLink } from "./button";

/** Opens a dialog over the page as it stands: what the address says of it, such as a search and the page of a list, stays. */
export function DialogLink({
  dialog,
  of,
  ...rest
}: { dialog: string; of?: string } & Omit<ComponentProps<typeof ButtonLink>, "to" | "preventScrollReset" | "onClick">) {
  const isSending = useIsSending();
  const to = withoutDialog(useSearchParams()[0]);
  to.delete("done");
  to.set("dialog", dialog);
  if (of !== undefined) to.set("id", of);
  return <ButtonLink {...rest} {...waiting(isSending)} preventScrollReset to={`?${to}`} />;
}

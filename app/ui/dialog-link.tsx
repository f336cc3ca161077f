import { useNavigation, useSearchParams } from "@remix-run/react";
import type { ComponentProps } from "react";
import { withoutDialog } from "~/lib/dialog";
import { ButtonLink } from "./button";

/**
 * Opens a dialog over the page as it stands: what the address says of it, such as a search and the page of a list, stays.
 * While a form is being sent it waits: another step would end that form, and what became of it would never be shown.
 */
export function DialogLink({
  dialog,
  of,
  ...rest
}: { dialog: string; of?: string } & Omit<ComponentProps<typeof ButtonLink>, "to" | "preventScrollReset" | "onClick">) {
  const { formMethod = "GET" } = useNavigation();
  const isSending = formMethod !== "GET";
  const to = withoutDialog(useSearchParams()[0]);
  to.delete("done");
  to.set("dialog", dialog);
  if (of !== undefined) to.set("id", of);
  return (
    <ButtonLink
      {...rest}
      aria-disabled={isSending || undefined}
      onClick={isSending ? (event) => event.preventDefault() : undefined}
      preventScrollReset
      to={`?${to}`}
    />
  );
}

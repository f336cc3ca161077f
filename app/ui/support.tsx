// The way to whoever runs the service: the address that SUPPORT_EMAIL gives, if it gives one.
import { useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import type { loader } from "~/root";

/** What a mail begins with. */
interface Letter {
  subject: string;
  /** Lines. */
  body?: string[];
}

/** The address of a mail to support, as RFC 6068 has it; undefined where nobody has said where support is. */
export function useSupport(letter?: Letter): string | undefined {
  const address = useRouteLoaderData<typeof loader>("root")?.support;
  if (!address) return undefined;
  const fields = letter
    ? Object.entries({ subject: letter.subject, body: letter.body?.join("\r\n") }).flatMap(([name, value]) =>
        value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
      )
    : [];
  return `mailto:${encodeURIComponent(address).replace("%40", "@")}${fields.length > 0 ? `?${fields.join("&")}` : ""}`;
}

/** Words of a text that lead to support; only words where there is no address. */
export function SupportLink({ letter, children }: { letter?: Letter; children: ReactNode }) {
  const href = useSupport(letter);
  if (href === undefined) return children;
  return (
    <a className="rounded text-accent underline decoration-1 underline-offset-4 hover:decoration-2" href={href}>
      {children}
    </a>
  );
}

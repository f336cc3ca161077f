// The documentation's frame, in the console and on the public site: its table of contents beside the text.
import { NavLink } from "@remix-run/react";
import type { ReactNode } from "react";
import { cx } from "~/ui/cx";

const sections = [
  ["start", "Start"],
  ["tools", "Tools"],
  ["errors", "Errors"],
  ["limits", "Limits"],
  ["data", "Data"],
  ["changelog", "Changelog"],
] as const;

const look = "block rounded-md px-2.5 py-1.5 text-[0.8125rem] leading-5 pointer-coarse:py-2.5";

/** @param base where the documentation lies: /docs or /console/docs */
export function DocsFrame({ base, tools, children }: { base: string; tools: { name: string }[]; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)] print:block">
      <nav
        aria-label="Documentation"
        className="flex flex-col gap-4 self-start print:hidden max-lg:overflow-hidden max-lg:rounded-lg max-lg:border max-lg:border-line lg:sticky lg:top-20"
      >
        <ul className="flex gap-0.5 max-lg:overflow-x-auto max-lg:p-1 max-lg:fades max-lg:pr-8 lg:flex-col">
          {sections.map(([id, label]) => (
            <li key={id}>
              <a
                className={cx(look, "whitespace-nowrap text-muted hover:bg-raised hover:text-ink")}
                href={`${base}#${id}`}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
        <div className="flex flex-col gap-1 max-lg:hidden">
          <h2 className="px-2.5 font-medium text-faint text-xs">Tools</h2>
          <ul className="flex flex-col gap-0.5">
            {tools.map(({ name }) => (
              <li key={name}>
                <NavLink
                  className={({ isActive }) =>
                    cx(
                      look,
                      "truncate font-mono text-xs",
                      isActive
                        ? "bg-raised font-medium text-ink forced-colors:border"
                        : "text-muted hover:bg-raised hover:text-ink",
                    )
                  }
                  prefetch="intent"
                  to={`${base}/${name}`}
                >
                  {name}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <div className="flex min-w-0 flex-col gap-12">{children}</div>
    </div>
  );
}

/** A part of the page, with an address of its own. */
export const DocsSection = ({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) => (
  <section aria-labelledby={`${id}-title`} className="flex min-w-0 flex-col gap-4" id={id}>
    <div className="flex flex-col gap-1">
      <h2 className="font-semibold text-lg leading-7 tracking-tight" id={`${id}-title`}>
        {title}
      </h2>
      {lead && <p className="max-w-2xl text-pretty text-muted text-sm leading-6">{lead}</p>}
    </div>
    {children}
  </section>
);

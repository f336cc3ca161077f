import { Link } from "@remix-run/react";
import { ArrowRight } from "lucide-react";
import { useSupport } from "~/ui/support";

export function Footer() {
  const support = useSupport();
  return (
    <footer className="flex flex-wrap items-center justify-between gap-4 border-line border-t py-8 text-[0.8125rem] text-muted">
      <span>Read-only by design: no tool changes anything, and none takes an order.</span>
      <nav aria-label="More" className="flex flex-wrap gap-x-5 gap-y-2 sm:ml-auto">
        <Link className="rounded hover:text-ink" to="/docs">
          Documentation
        </Link>
        <Link className="rounded hover:text-ink" to="/terms">
          Data-use terms
        </Link>
        {support && (
          <a className="rounded hover:text-ink" href={support}>
            Support
          </a>
        )}
      </nav>
      <a
        className="inline-flex items-center gap-1 rounded text-accent underline-offset-4 hover:underline"
        href="https://modelcontextprotocol.io"
        rel="noreferrer"
      >
        Model Context Protocol <ArrowRight aria-hidden className="size-3.5" />
      </a>
    </footer>
  );
}

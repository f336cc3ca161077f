import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useEarlyEffect } from "~/lib/keep-focus";
import { Button, ButtonLink } from "./button";

/** Above a list whose address named a page of it that is not there. */
export const BackAtStart = () => (
  <p className="text-muted text-sm" data-said-first="">
    That page is gone. Showing the first page.
  </p>
);

/** One page of many: the addresses before and after it, and in words what is shown. Of a single page the words alone. */
export function Pagination({ summary, previous, next }: { summary: string; previous?: string; next?: string }) {
  const nav = useRef<HTMLElement>(null);
  const hasFocus = useRef(false);
  useEarlyEffect(() => {
    // At an end of the list the link goes that led there; the other one is nearer than what stands around both.
    if (hasFocus.current && document.activeElement === document.body) nav.current?.focus({ preventScroll: true });
  });
  return (
    <nav
      aria-label="Pages"
      className="flex grow flex-wrap items-center justify-between gap-3 text-[0.8125rem] text-muted"
      onBlur={() => {
        hasFocus.current = false;
      }}
      onFocus={() => {
        hasFocus.current = true;
      }}
      ref={nav}
      tabIndex={-1}
    >
      <span className="wrap-anywhere min-w-0">{summary}</span>
      {(previous || next) && (
        <div className="flex gap-2">
          <Step to={previous}>
            <ChevronLeft aria-hidden /> Previous
          </Step>
          <Step to={next}>
            Next <ChevronRight aria-hidden />
          </Step>
        </div>
      )}
    </nav>
  );
}

function Step({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined) {
    return (
      <Button disabled size="sm">
        {children}
      </Button>
    );
  }
  return (
    <ButtonLink prefetch="intent" preventScrollReset size="sm" to={to}>
      {children}
    </ButtonLink>
  );
}

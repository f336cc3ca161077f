import { useSearchParams } from "@remix-run/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { withoutDialog } from "~/lib/dialog";
import { useEarlyEffect } from "~/lib/keep-focus";
import { Button, ButtonLink } from "./button";

/** Above a list whose address named a page of it that is not there. */
export const BackAtStart = () => (
  <p className="text-muted text-sm" data-said-first="">
    That page is gone. Showing the first page.
  </p>
);

/** The address of another page of the list that this one shows. */
export function useTurning() {
  const [params] = useSearchParams();
  return (cursor: string): string => {
    const rest = withoutDialog(params);
    rest.delete("done");
    rest.set("cursor", cursor);
    return `?${rest}`;
  };
}

/** The foot of a list: the pages before and after, and in words what is shown. Of a single page the words alone. */
export function TurnPages({
  summary,
  previous,
  next,
}: {
  summary: string;
  /** Cursors. */
  previous: string | undefined;
  next: string | undefined;
}) {
  const to = useTurning();
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
          <Step to={previous && to(previous)}>
            <ChevronLeft aria-hidden /> Previous
          </Step>
          <Step to={next && to(next)}>
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

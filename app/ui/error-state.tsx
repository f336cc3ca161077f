import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink, buttonLook } from "./button";
import { CopyButton } from "./copy-button";
import { cx } from "./cx";

/** Something failed: what happened, the id to quote to support, and a way on. `retry` loads the address again. */
export function ErrorState({
  title,
  requestId,
  retry,
  retryLabel = "Try again",
  home = { to: "/", label: "the start page" },
  isFault,
  action,
  children,
}: {
  title: string;
  requestId?: string;
  /** The address to load again, without scripts too. */
  retry?: string;
  retryLabel?: string | undefined;
  /** Where to go from here: the first page of this part of the site. */
  home?: { to: string; label: string } | undefined;
  /** False where nothing of ours failed, as for a page that is not there. */
  isFault: boolean;
  /** Another way on. */
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 px-4 py-12">
      <span
        className={cx(
          "flex size-10 items-center justify-center rounded-lg",
          isFault ? "bg-danger-soft text-danger" : "bg-raised text-muted",
        )}
      >
        <CircleAlert aria-hidden className="size-5" />
      </span>
      <div className="flex flex-col gap-1" role="alert">
        <h1 className="wrap-anywhere text-balance font-semibold text-[1.375rem] leading-8 tracking-tight">{title}</h1>
        <p className="text-pretty text-muted text-sm leading-6">{children}</p>
      </div>
      {requestId && (
        <p className="flex max-w-full flex-wrap items-center gap-x-2 text-[0.8125rem] text-muted">
          <span className="shrink-0">Request id</span>
          <span className="flex min-w-0 items-center gap-x-2">
            <code className="wrap-anywhere rounded bg-raised px-1.5 py-0.5 font-mono text-ink text-xs">
              {requestId}
            </code>
            <CopyButton label="Copy request id" text={requestId} />
          </span>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {retry && (
          <a className={buttonLook({ variant: "primary" })} href={retry}>
            {retryLabel}
          </a>
        )}
        <ButtonLink to={home.to}>Go to {home.label}</ButtonLink>
        {action}
      </div>
    </div>
  );
}

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { softTone, type Tone } from "./tone";
import { toneIcons } from "./tone-icons";

/** A message across the page or above a form, with a cross where it can go. Danger interrupts a screen reader, the rest waits its turn. */
export function Banner({
  tone = "accent",
  title,
  actions,
  onDismiss,
  children,
}: {
  tone?: Tone;
  title: string;
  actions?: ReactNode;
  onDismiss?: () => void;
  children?: ReactNode;
}) {
  const Icon = toneIcons[tone];
  return (
    <div
      className={cx(
        "flex flex-wrap gap-x-4 gap-y-3 rounded-lg px-4 py-3 print:border forced-colors:border",
        children ? "items-start" : "items-center",
        onDismiss && "relative pr-12",
        softTone[tone],
      )}
      role={tone === "danger" ? "alert" : "status"}
    >
      <div className="flex min-w-0 grow basis-64 items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="flex min-w-0 flex-col gap-0.5">
          <p className="wrap-anywhere text-pretty font-medium text-sm leading-5">{title}</p>
          {children && <div className="wrap-anywhere text-pretty text-ink text-sm leading-5">{children}</div>}
        </div>
      </div>
      {actions && <div className="flex flex-wrap gap-2 max-sm:pl-7">{actions}</div>}
      {onDismiss && (
        <button
          aria-label="Dismiss"
          className="absolute top-2 right-2 flex size-7 items-center justify-center rounded-md hover:bg-raised pointer-coarse:top-1 pointer-coarse:right-1 pointer-coarse:size-10"
          onClick={onDismiss}
          type="button"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}

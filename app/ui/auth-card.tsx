import type { ReactNode } from "react";
import { BareHeader } from "./bare-header";

/** The frame of the pages before the log-in: sign up, log in, verify, reset. One card, one task. */
export function AuthCard({
  title,
  description,
  footer,
  children,
}: {
  title: string;
  description?: ReactNode;
  /** The way to the neighbouring page, such as "Have an account? Log in". */
  footer?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <BareHeader />
      <main
        className="mx-auto flex w-full max-w-md grow flex-col gap-6 px-4 pt-8 pb-16 md:pt-16"
        id="content"
        tabIndex={-1}
      >
        <div className="flex flex-col gap-6 rounded-xl border border-line bg-surface p-6 shadow-card sm:p-8">
          <div className="flex flex-col gap-1.5">
            <h1 className="wrap-anywhere text-balance font-semibold text-xl leading-7 tracking-tight">{title}</h1>
            {description && <p className="wrap-anywhere text-pretty text-muted text-sm leading-6">{description}</p>}
          </div>
          {children}
        </div>
        {footer && (
          <p className="text-center text-muted text-sm [&_a]:rounded [&_a]:font-medium [&_a]:text-accent [&_a:hover]:underline [&_a]:underline-offset-4">
            {footer}
          </p>
        )}
      </main>
    </div>
  );
}

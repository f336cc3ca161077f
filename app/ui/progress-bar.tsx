import { useNavigation } from "@remix-run/react";

/** A thin line on top while a page is on its way; it waits a moment, so that quick ones do not flicker. */
export function ProgressBar() {
  if (useNavigation().state === "idle") return null;
  return (
    <div
      aria-hidden
      className="fixed inset-x-0 top-0 z-50 h-0.5 animate-appear overflow-hidden [animation-delay:150ms]"
    >
      <div className="h-full w-1/3 animate-travel bg-accent-fill motion-reduce:w-full" />
    </div>
  );
}

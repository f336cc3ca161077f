import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { cx } from "./cx";

const icons = { idle: Copy, copied: Check, failed: X };
const colours = { idle: "text-faint", copied: "text-success", failed: "text-danger" };
const FAILED = "Could not copy: select the text and copy it yourself";

/** Copies a text and says so; hidden where there are no scripts, since the text beside it can be selected. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  const Icon = icons[outcome ?? "idle"];
  return (
    <button
      aria-label={label}
      className={cx(
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-raised hover:text-ink noscript:hidden pointer-coarse:size-10",
        colours[outcome ?? "idle"],
      )}
      onClick={copy}
      title={outcome === "failed" ? FAILED : label}
      type="button"
    >
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only" role="status">
        {outcome === "copied" ? "Copied" : outcome === "failed" ? FAILED : ""}
      </span>
    </button>
  );
}

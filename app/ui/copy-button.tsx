import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { cx } from "./cx";

/** Copies a text and says so; hidden where there are no scripts, since the text beside it can be selected. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
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
  return (
    <button
      aria-label={label}
      className={cx(
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-raised hover:text-ink noscript:hidden pointer-coarse:size-10",
        outcome === "copied" ? "text-success" : "text-faint",
      )}
      onClick={copy}
      title={label}
      type="button"
    >
      {outcome === "copied" ? <Check aria-hidden className="size-3.5" /> : <Copy aria-hidden className="size-3.5" />}
      <span className="sr-only" role="status">
        {outcome === "copied"
          ? "Copied"
          : outcome === "failed"
            ? "Not copied: select the text and copy it yourself"
            : ""}
      </span>
    </button>
  );
}

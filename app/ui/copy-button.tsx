import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { cx } from "./cx";

const icons = { idle: Copy, copied: Check, failed: X };
const colours = { idle: "text-faint", copied: "text-success", failed: "text-danger" };
const FAILED = "Could not copy: select the text and copy it yourself";

/** Copies a text and says so; hidden where there are no scripts, since the text beside it can be selected. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [last, setLast] = useState<{ outcome: "copied" | "failed"; at: number }>();
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(undefined), 2000);
    return () => clearTimeout(timer);
  }, [last]);
  const copy = async ({ currentTarget: button }: { currentTarget: HTMLElement }) => {
    try {
      await navigator.clipboard.writeText(text);
      // As when it is selected and copied: whoever would ask before it is lost (ui/ask-before-leaving.tsx) hears of both.
      button.dispatchEvent(new ClipboardEvent("copy", { bubbles: true }));
      setLast({ outcome: "copied", at: Date.now() });
    } catch {
      setLast({ outcome: "failed", at: Date.now() });
    }
  };
  const outcome = last?.outcome;
  const Icon = icons[outcome ?? "idle"];
  return (
    <span className="relative inline-flex shrink-0 noscript:hidden">
      <button
        aria-label={label}
        className={cx(
          "inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-raised hover:text-ink pointer-coarse:size-10",
          colours[outcome ?? "idle"],
        )}
        onClick={copy}
        title={outcome === "failed" ? FAILED : label}
        type="button"
      >
        <Icon aria-hidden className="size-3.5" />
      </button>
      {/* Beside the button: what a button holds is its name alone. By its key it is said again after another press. */}
      <span className="sr-only" role="status">
        <span key={last?.at}>{outcome === "copied" ? "Copied" : outcome === "failed" ? FAILED : ""}</span>
      </span>
    </span>
  );
}

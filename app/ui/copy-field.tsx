import { type ReactNode, useId } from "react";
import { CopyButton } from "./copy-button";

/** A value to take away, such as an endpoint or a new key: one click selects all of it. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: ReactNode }) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span className="font-medium text-sm" id={id}>
        {label}
      </span>
      <div className="flex min-h-9 min-w-0 items-center rounded-md border border-line bg-sunken pr-1">
        <output
          aria-labelledby={id}
          className="min-w-0 grow select-all wrap-anywhere px-3 py-2 font-mono text-[0.8125rem] leading-5"
        >
          {value}
        </output>
        <CopyButton label={`Copy ${label.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())}`} text={value} />
      </div>
      {hint && <p className="text-[0.8125rem] text-faint leading-5">{hint}</p>}
    </div>
  );
}

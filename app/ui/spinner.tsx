import { cx } from "./cx";

/** A turning ring, 16 px, that says "Working" to those who do not see it. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg
      aria-label="Working"
      className={cx("size-4 animate-spin motion-reduce:animate-none", className)}
      fill="none"
      role="img"
      viewBox="0 0 16 16"
    >
      <circle cx="8" cy="8" opacity=".25" r="6.5" stroke="currentColor" strokeWidth="2" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeLinecap="round" strokeWidth="2" />
    </svg>
  );
}

/** The product's mark: an A that is an aisle between two shelves. */
export function Mark({ className = "size-7" }: { className?: string }) {
  return (
    <svg aria-hidden="true" className={className} viewBox="0 0 32 32">
      <rect className="fill-[#4f46e5]" height="32" rx="8" width="32" />
      <path
        d="M9 24 14.6 8h2.8L23 24M16 24v-9"
        fill="none"
        stroke="#fff"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="2.6"
      />
    </svg>
  );
}

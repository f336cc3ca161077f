/** A scope, tool or other name of the wire, as a small mono tag. */
export function ScopeTag({ children }: { children: string }) {
  return (
    <code className="inline-flex h-5.5 items-center whitespace-nowrap rounded border border-line bg-sunken px-1.5 font-mono text-[0.75rem] text-muted">
      {children}
    </code>
  );
}

import { Words } from "~/ui/mono";

/** What was called, as lists name it: a tool, or a method where none was. Where the key was refused, it was not read. */
export const calledName = (value: string) => (value === "unread" ? "Key refused, not read" : value);

export const Called = ({ value }: { value: string }) =>
  value === "unread" ? (
    <span className="text-muted">{calledName(value)}</span>
  ) : (
    <code className="font-mono text-[0.8125rem]">
      <Words>{value}</Words>
    </code>
  );

/** In lists of counts, where all methods that we do not serve are one. */
export const CalledKind = ({ value }: { value: string }) =>
  value === "other" ? <span className="text-muted">Other methods</span> : <Called value={value} />;

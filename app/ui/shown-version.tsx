import type { FormErrors } from "~/lib/api.server";
import { isLate } from "~/lib/is-late";

/**
 * What a form tells of what it showed, so that what somebody else changed meanwhile is noticed. A refused field is no look at
 * that: the form still speaks of what was posted, until it is told of another (a conflict about no field).
 * @param posted with the form's last refusal
 */
export function ShownVersion({
  name,
  newest,
  errors,
  posted,
}: {
  name: string;
  newest: string | number | Date;
  errors?: FormErrors | undefined;
  posted?: string | undefined;
}) {
  const isTold = isLate(errors) && !errors?.isElsewhere;
  const stands = newest instanceof Date ? newest.toISOString() : String(newest);
  // The refusal knows it where the page may not have the thing any more.
  const told = name === "shown" ? errors?.version : undefined;
  const value = errors === undefined || isTold ? (told ?? stands) : (posted ?? stands);
  // Another version is another field: a browser keeps what a field once had.
  return <input key={value} name={name} type="hidden" value={value} />;
}

import type { FormErrors } from "~/lib/api.server";
import { isLate } from "~/lib/is-late";

/**
 * Which version of a thing a form showed, so that a change by somebody else is noticed. After a refused field the form goes on
 * sending the version that it was posted with; only a conflict about no field tells it of another.
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
  // From the refusal, since the page may no longer have the thing.
  const told = name === "shown" ? errors?.version : undefined;
  const value = errors === undefined || isTold ? (told ?? stands) : (posted ?? stands);
  // Another version is another field: a browser keeps what a field once had.
  return <input key={value} name={name} type="hidden" value={value} />;
}

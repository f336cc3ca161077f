import type { FormErrors } from "./api.server";

/**
 * The version that a form sends. A refused field is no look at what somebody else has changed meanwhile: the form still speaks
 * of the version that was posted, until it is told of another (a conflict about no field).
 * @param refused the form's last refusal, with the version that was posted
 */
export function versionSent(newest: string | number, refused: { errors: FormErrors; posted: string } | undefined) {
  if (refused === undefined) return newest;
  const { code, fields } = refused.errors;
  return code === "conflict" && Object.keys(fields).length === 0 ? newest : refused.posted;
}

import type { FormErrors } from "./api.server";

/** Was somebody else quicker with what the form is about? (A conflict about a field is none: that a name is taken, say.) */
export const isLate = (errors: FormErrors | undefined): boolean =>
  errors?.code === "conflict" && Object.keys(errors.fields).length === 0;

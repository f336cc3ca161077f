import type { FormErrors } from "./api.server";

/** Was somebody else quicker with what the form is about? A name that another thing has is wrong with its field alone. */
export const isLate = (errors: FormErrors | undefined): boolean =>
  errors?.code === "conflict" && Object.keys(errors.fields).length === 0;

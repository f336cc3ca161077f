import type { FormErrors } from "~/lib/api.server";
import { Banner } from "~/ui/banner";

/** What is wrong with a form as a whole; what is wrong with a field stands beside that. */
export function FormProblem({ errors }: { errors: FormErrors | undefined }) {
  return errors && Object.keys(errors.fields).length === 0 ? <Banner title={errors.message} tone="danger" /> : null;
}

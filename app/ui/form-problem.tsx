import type { FormErrors } from "~/lib/api.server";
import { ANEW } from "~/lib/typing";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";

/** What is wrong with a form as a whole; what is wrong with a field stands beside that. */
export function FormProblem({
  errors,
  lookAgain,
}: {
  errors: FormErrors | undefined;
  /** The page's own address, for a form that somebody else was quicker with. */
  lookAgain?: string;
}) {
  if (!errors || Object.keys(errors.fields).length > 0) return null;
  const isLate = errors.code === "conflict" && lookAgain;
  return (
    // By its id no refusal is the same words as the one before it: each is said.
    <Banner
      actions={isLate && <LookAgain to={lookAgain} />}
      key={errors.requestId}
      title={errors.message}
      tone="danger"
    />
  );
}

export const LookAgain = ({ to }: { to: string }) => (
  <ButtonLink preventScrollReset size="sm" state={ANEW} to={to}>
    Refresh
  </ButtonLink>
);

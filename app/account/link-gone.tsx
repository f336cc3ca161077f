// A link from a mail that no longer works: why, and the one thing to do next.
import { AuthCard } from "~/ui/auth-card";
import { ButtonLink } from "~/ui/button";

type Errand = "verify" | "reset" | "confirmEmail";
type Gone = "used" | "expired" | "unknown";

const reasons: Record<Gone, [title: string, why: string]> = {
  used: ["This link was used already", "Each link works once, and is void when another has done its work."],
  expired: ["This link has expired", "Links work for a limited time, so that an old mail opens nothing."],
  unknown: ["We do not know this link", "It may have been cut off on its way from the mail, or be very old."],
};

type Step = [words: string, label: string, to: string];
const newVerification: Step = ["Ask for a new one; it comes at once.", "Send a new link", "/resend"];
const newReset: Step = ["Ask for a new one; it comes at once.", "Ask for a new link", "/forgot"];
const account: Step = [
  "Your account page says which address holds, and sends a new link.",
  "Open your account",
  "/account",
];

const steps: Record<Errand, Record<Gone, Step>> = {
  verify: {
    used: ["If you confirmed your address with it, log in.", "Log in", "/login"],
    expired: newVerification,
    unknown: newVerification,
  },
  reset: { used: newReset, expired: newReset, unknown: newReset },
  confirmEmail: { used: account, expired: account, unknown: account },
};

export function LinkGone({ errand, state }: { errand: Errand; state: Gone }) {
  const [title, why] = reasons[state];
  const [words, label, to] = steps[errand][state];
  return (
    <AuthCard description={`${why} ${words}`} title={title}>
      <ButtonLink className="w-full" to={to} variant="primary">
        {label}
      </ButtonLink>
    </AuthCard>
  );
}

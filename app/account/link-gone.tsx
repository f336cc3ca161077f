// A link from a mail that no longer works: why, and the one thing to do next.
import { AuthCard } from "~/ui/auth-card";
import { ButtonLink } from "~/ui/button";

type Errand = "verify" | "reset" | "confirmEmail";
type Gone = "used" | "expired" | "unknown";

const reasons: Record<Gone, [title: string, why: string]> = {
  used: ["This link has already been used", "Each link works once, and not at all after another one has been used."],
  expired: ["This link has expired", "Links work for a limited time, so an old email opens nothing."],
  unknown: [
    "We do not recognise this link",
    "It may have been cut off when it was copied from the email, or be very old.",
  ],
};

type Step = [words: string, label: string, to: string];
const newVerification: Step = ["Request a new one; it arrives right away.", "Request a new link", "/resend"];
const newReset: Step = ["Request a new one; it arrives right away.", "Request a new link", "/forgot"];
const account: Step = [
  "Your account page shows your current address and can send a new link.",
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

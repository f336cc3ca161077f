import { Form, useActionData, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { AuthCard } from "~/ui/auth-card";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { LookIntoMail } from "./look-into-mail";

type SendLinkAnswer = { sentTo: string; isAgain: boolean } | { errors: FormErrors; kept: { email: string } };

/** The whole page that sends a link to an address, and what stands there once it is sent. */
export function SendLink({
  title,
  description,
  button,
  footer,
  page,
  hasLocalMail,
  sent,
}: {
  title: string;
  description: string;
  button: string;
  footer: ReactNode;
  page: "/resend" | "/forgot";
  hasLocalMail: boolean;
  /** What happens now, after "If …@… " */
  sent: (email: ReactNode) => ReactNode;
}) {
  const answer = useActionData<SendLinkAnswer>();
  // As it was typed on the page before: never in the address, which is logged.
  const { email } = (useLocation().state ?? {}) as { email?: string };
  const form = useAnsweredForm(answer);
  if (answer && "sentTo" in answer) {
    return (
      <LookIntoMail answer={answer} footer={footer} hasLocalMail={hasLocalMail} resend={page}>
        {sent(<strong className="wrap-anywhere font-medium text-ink">{answer.sentTo}</strong>)}
      </LookIntoMail>
    );
  }
  return (
    <AuthCard description={description} footer={footer} title={title}>
      <Form className="flex flex-col gap-5" method="post" ref={form}>
        <FormProblem errors={answer?.errors} />
        <TextField
          autoCapitalize="none"
          autoComplete="username"
          autoFocus
          defaultValue={answer?.kept.email ?? email}
          error={answer?.errors.fields.email}
          label="Email"
          maxLength={254}
          name="email"
          spellCheck={false}
          type="email"
        />
        <SubmitButton className="w-full">{button}</SubmitButton>
      </Form>
    </AuthCard>
  );
}

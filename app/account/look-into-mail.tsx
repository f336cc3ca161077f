import { Form } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { AuthCard } from "~/ui/auth-card";
import { Banner } from "~/ui/banner";
import { SubmitButton } from "~/ui/submit-button";
import { useToast } from "~/ui/toast";
import { LocalMailHint } from "./local-mail-hint";

/** After a form that sends a mail: where to look, and how to get it once more. Says nothing about who has an account. */
export function LookIntoMail({
  answer,
  resend,
  hasLocalMail,
  footer,
  children,
}: {
  answer: { sentTo: string; isAgain?: boolean };
  /** The page whose form sends the mail again. */
  resend: "/resend" | "/forgot";
  /** Mails are shown on a page of this installation, instead of being sent. */
  hasLocalMail: boolean;
  footer: ReactNode;
  children: ReactNode;
}) {
  // The form that had the focus is gone.
  useEffect(() => document.getElementById("content")?.focus(), []);
  const toast = useToast();
  useEffect(() => {
    if (answer.isAgain) toast("Sent again");
  }, [answer, toast]);
  return (
    <AuthCard description={children} footer={footer} title="Check your email">
      {answer.isAgain && (
        <noscript>
          <Banner title="Sent again" tone="success" />
        </noscript>
      )}
      {hasLocalMail && <LocalMailHint />}
      <Form action={resend} className="flex flex-col gap-3 border-line border-t pt-6" method="post">
        <input name="email" type="hidden" value={answer.sentTo} />
        <input name="isAgain" type="hidden" value="yes" />
        <p className="text-pretty text-muted text-sm leading-6">
          Nothing after a few minutes? Check your spam folder, or send it again.
        </p>
        <SubmitButton variant="secondary">Send it again</SubmitButton>
      </Form>
    </AuthCard>
  );
}

import { Form } from "@remix-run/react";
import type { ComponentProps, ReactNode } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { useTyping } from "~/lib/typing";
import { AskBeforeLeaving } from "./ask-before-leaving";
import { Dialog, DialogActions } from "./dialog";
import { FormProblem } from "./form-problem";
import { SubmitButton } from "./submit-button";

/** What every dialog with a form is told: the address without it, and what was wrong with what was sent. */
export interface Asked {
  closeTo: string;
  errors: FormErrors | undefined;
}

/** A dialog with one form: its fields, a way back, and the button that sends it with `intent`. */
export function FormDialog({
  title,
  description,
  intent,
  label,
  variant,
  size,
  closeTo,
  errors,
  children,
}: Asked & {
  title: string;
  description?: ReactNode;
  intent: string;
  /** The button's. */
  label: string;
  variant?: ComponentProps<typeof SubmitButton>["variant"];
  size?: ComponentProps<typeof Dialog>["size"];
  children: ReactNode;
}) {
  const form = useAnsweredForm(errors);
  const typing = useTyping(form);
  return (
    <Dialog closeTo={closeTo} description={description} size={size} title={title}>
      {/* In the dialog's place, as closing it is: Back opens nothing that is done with. */}
      <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form} replace>
        <input name="intent" type="hidden" value={intent} />
        <FormProblem errors={errors} />
        {children}
        <DialogActions cancelTo={closeTo}>
          <SubmitButton variant={variant}>{label}</SubmitButton>
        </DialogActions>
      </Form>
      {size === "lg" && <AskBeforeLeaving typing={typing} />}
    </Dialog>
  );
}

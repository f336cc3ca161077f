import { Form } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { isName } from "~/lib/is-name";
import { Banner } from "./banner";
import { Dialog, DialogActions } from "./dialog";
import { SubmitButton } from "./submit-button";
import { TextField } from "./text-field";

/**
 * Asks before something that cannot be taken back, naming the thing. With `typeName` the name must be typed: it arrives
 * as the field `confirm`, and the action must compare it too; `anyCase` where that takes capitals for small letters, as
 * in an address. `values` are sent along as hidden fields.
 */
export function ConfirmDialog({
  title,
  closeTo,
  confirmLabel,
  values,
  typeName,
  anyCase = false,
  errors,
  refused,
  fields,
  children,
}: {
  title: string;
  closeTo: string;
  confirmLabel: string;
  values: Record<string, string>;
  typeName?: string;
  anyCase?: boolean;
  /** What is wrong with it as a whole. */
  errors?: FormErrors | undefined;
  /** What is wrong with its fields, of which the first gets the focus; `confirm` is the name's. */
  refused?: FormErrors | undefined;
  /** Before the name to be typed. */
  fields?: ReactNode;
  /** What will happen, in a sentence or two: read out when the dialog opens. */
  children: ReactNode;
}) {
  const form = useAnsweredForm(refused);
  const [typed, setTyped] = useState("");
  const isRight = typeName !== undefined && isName(anyCase ? typed.toLowerCase() : typed, typeName);
  return (
    <Dialog closeTo={closeTo} description={children} title={title}>
      <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form} replace>
        {/* By its id no refusal is the same words as the one before it: each is said. */}
        {errors && <Banner key={errors.requestId} title={errors.message} tone="danger" />}
        {Object.entries(values).map(([name, value]) => (
          <input key={name} name={name} type="hidden" value={value} />
        ))}
        {fields}
        {typeName !== undefined && (
          <TextField
            autoCapitalize="none"
            autoComplete="off"
            // Not before it is sent: what comes in the midst of a press moves Cancel away from under it.
            error={isRight ? undefined : refused?.fields.confirm}
            label={
              <>
                Type{" "}
                <strong className="font-semibold" dir="auto">
                  {typeName}
                </strong>{" "}
                to confirm
              </>
            }
            name="confirm"
            onChange={(event) => setTyped(event.target.value)}
            spellCheck={false}
          />
        )}
        <DialogActions cancelTo={closeTo}>
          <SubmitButton variant="danger">{confirmLabel}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

import { Form } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import { Banner } from "./banner";
import { ButtonLink } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { SubmitButton } from "./submit-button";
import { TextField } from "./text-field";

/**
 * Asks before something that cannot be taken back, naming the thing. With `typeName` the name must be typed: it arrives
 * as the field `confirm`, and the action must compare it too. `values` are sent along as hidden fields.
 */
export function ConfirmDialog({
  title,
  closeTo,
  confirmLabel,
  values,
  typeName,
  error,
  children,
}: {
  title: string;
  closeTo: string;
  confirmLabel: string;
  values: Record<string, string>;
  typeName?: string;
  error?: string;
  /** What will happen, in a sentence or two, and further fields if need be. */
  children: ReactNode;
}) {
  const [typed, setTyped] = useState("");
  const [isTyping, setTyping] = useState(false);
  const isWrong = typeName !== undefined && isTyping && typed.trim() !== typeName;
  return (
    <Dialog closeTo={closeTo} title={title}>
      <Form className="flex flex-col gap-5" method="post" preventScrollReset>
        {error && <Banner title={error} tone="danger" />}
        {Object.entries(values).map(([name, value]) => (
          <input key={name} name={name} type="hidden" value={value} />
        ))}
        <div className="wrap-anywhere flex flex-col gap-4 text-pretty text-muted text-sm leading-6">{children}</div>
        {typeName !== undefined && (
          <TextField
            autoCapitalize="none"
            autoComplete="off"
            error={isWrong ? `This is not “${typeName}”.` : undefined}
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
            onBlur={() => setTyping(typed !== "")}
            onChange={(event) => {
              setTyped(event.target.value);
              setTyping(false);
            }}
            spellCheck={false}
          />
        )}
        <DialogActions>
          <ButtonLink preventScrollReset to={closeTo}>
            Cancel
          </ButtonLink>
          <SubmitButton variant="danger">{confirmLabel}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

import { useNavigation } from "@remix-run/react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { keepFocus, placesAround, useEarlyEffect } from "~/lib/keep-focus";
import { Button } from "./button";

/** The button that sends its form, pending from its press until the answer is on the page. */
export function SubmitButton({
  variant = "primary",
  ...rest
}: Omit<ComponentProps<typeof Button>, "type" | "onClick">) {
  const { formData, state } = useNavigation();
  const [isPressed, setPressed] = useState(false);
  const isSending = state !== "idle" && formData !== undefined;
  /** Around the form, where it had the focus when it was sent: its fields may be drawn anew though the button stays. */
  const around = useRef<HTMLElement[]>([]);
  useEffect(() => {
    if (!isSending) return;
    return () => {
      setPressed(false);
      keepFocus(around.current);
      around.current = [];
    };
  }, [isSending]);
  const pressed = useRef<HTMLButtonElement>();
  useEarlyEffect(
    () => () => {
      const button = pressed.current;
      if (button?.form?.contains(document.activeElement)) keepFocus(placesAround(button));
    },
    [],
  );
  return (
    <Button
      {...rest}
      onClick={({ currentTarget }) => {
        pressed.current = currentTarget;
        around.current = currentTarget.form?.contains(document.activeElement) ? placesAround(currentTarget) : [];
        setPressed(true);
      }}
      pending={rest.pending ?? (isPressed && isSending)}
      type="submit"
      variant={variant}
    />
  );
}

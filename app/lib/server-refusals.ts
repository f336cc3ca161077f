import { useEffect } from "react";

/**
 * Leaves it to the server to say what is wrong with a form: of every field at once, beside it, in our words. Browsers say one
 * thing at a time, in theirs. They still do so without scripts, and for what they cannot read as a number or a date, since it
 * would be sent as nothing. A hidden field, which another choice has made needless, holds nothing up. Stands once, in root.tsx.
 */
export function useServerRefusals(): void {
  useEffect(() => {
    // An Enter in a field is a click on its form's button, too.
    const onClick = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button?.type !== "submit" || button.form?.method !== "post") return;
      const inputs = [...button.form.querySelectorAll("input")];
      button.formNoValidate = !inputs.some((input) => input.validity.badInput && input.checkVisibility());
    };
    document.addEventListener("click", onClick, true);
    return () => document.removeEventListener("click", onClick, true);
  }, []);
}

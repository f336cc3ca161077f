import { useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "./cx";

/**
 * A button that unfolds a box of links and buttons: the browser's details element, so it works without scripts.
 * With them it closes on Escape, on a click elsewhere, when focus leaves, when a button or a link of it was pressed, and on
 * another page. What else the page does leaves it open: another query of the address, a form's answer, the scripts' coming.
 */
export function Menu({
  label,
  trigger,
  triggerClassName,
  align = "right",
  children,
}: {
  label: string;
  trigger: ReactNode;
  triggerClassName: string;
  align?: "left" | "right";
  children: ReactNode;
}) {
  const ref = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    ref.current?.removeAttribute("open");
  }, [pathname]);
  useEffect(() => {
    const details = ref.current;
    if (!details) return;
    const close = () => details.removeAttribute("open");
    const onPointer = (event: PointerEvent) => {
      if (!details.contains(event.target as Node)) close();
    };
    const leave = () => {
      close();
      details.querySelector("summary")?.focus();
    };
    const onClick = (event: MouseEvent) => {
      if ((event.target as Element).closest("a")) leave();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && details.open) leave();
    };
    const onLeave = (event: FocusEvent) => {
      if (event.relatedTarget && !details.contains(event.relatedTarget as Node)) close();
    };
    document.addEventListener("pointerdown", onPointer);
    details.addEventListener("submit", leave);
    details.addEventListener("click", onClick);
    details.addEventListener("keydown", onKey);
    details.addEventListener("focusout", onLeave);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
      details.removeEventListener("submit", leave);
      details.removeEventListener("click", onClick);
      details.removeEventListener("keydown", onKey);
      details.removeEventListener("focusout", onLeave);
    };
  }, []);
  return (
    <details className="relative print:hidden" ref={ref}>
      <summary className={triggerClassName} title={label}>
        {trigger}
        <span className="sr-only"> {label}</span>
      </summary>
      <div
        className={cx(
          "absolute top-full z-40 mt-1.5 w-56 max-w-[calc(100vw-2rem)] animate-rise rounded-lg bg-surface p-1 shadow-float",
          align === "right" ? "right-0" : "left-0 w-full",
        )}
      >
        {children}
      </div>
    </details>
  );
}

/** The look of a link or button in a menu. */
export const menuItemLook =
  "flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-left text-sm text-ink hover:bg-raised -outline-offset-2 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint pointer-coarse:min-h-10";

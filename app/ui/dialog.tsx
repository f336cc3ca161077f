import { Link, useNavigate } from "@remix-run/react";
import { X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useIsSending, waiting } from "~/lib/is-sending";
import { keepFocus, placesAround, useEarlyEffect } from "~/lib/keep-focus";
import { ButtonLink } from "./button";
import { cx } from "./cx";

const crossLook =
  "absolute top-4 right-4 flex print:hidden size-8 items-center justify-center rounded-md text-faint hover:bg-raised hover:text-ink pointer-coarse:size-10";

/**
 * A dialog over the page, open as long as it is rendered (app/lib/dialog.ts opens it by address). The browser's own
 * element keeps focus inside and gives it back; without scripts the server's markup shows the same. What was sent in it is
 * waited for.
 */
export function Dialog({
  title,
  description,
  closeTo,
  mustAnswer = false,
  size = "md",
  children,
}: {
  title: string;
  description?: ReactNode;
  /** The address without the dialog; what closes one that has no address. */
  closeTo: string | (() => void);
  /** Neither Escape nor a cross closes it: what it shows comes once. */
  mustAnswer?: boolean;
  /** A `long` one is as wide as usual; its foot stays in sight, as that of a large one does. */
  size?: "md" | "long" | "lg";
  children: ReactNode;
}) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const isSending = useIsSending();
  const isHeld = mustAnswer || (isSending && typeof closeTo === "string");
  // In the dialog's place, so that Back does not open it again.
  const close = () =>
    typeof closeTo === "string" ? navigate(closeTo, { preventScrollReset: true, replace: true }) : closeTo();

  useEarlyEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const around = placesAround(document.activeElement);
    // The server sent it open, which is not modal, and with the focus, which its first field gets now.
    dialog.removeAttribute("open");
    dialog.removeAttribute("autofocus");
    dialog.showModal();
    return () => {
      dialog.close();
      keepFocus(around);
    };
  }, []);

  return (
    <dialog
      aria-describedby={description ? `${id}-about` : undefined}
      aria-labelledby={id}
      // biome-ignore lint/a11y/noAutofocus: until a script has made it modal, the page's focus would be behind it
      autoFocus
      className={cx(
        "dialog w-[calc(100%-2rem)] animate-rise overflow-y-auto overscroll-contain rounded-xl bg-surface p-0 text-ink shadow-float outline-none",
        size === "lg" ? "max-w-2xl" : "max-w-md",
        size !== "md" && "scroll-pb-24",
      )}
      data-foot={size === "md" ? undefined : true}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isHeld) close();
      }}
      onClose={({ currentTarget: dialog }) => {
        // Browsers let a second Escape in a row close it, whatever the first was told.
        if (dialog.open || !dialog.isConnected) return;
        // Closing it may be asked about first.
        dialog.showModal();
        if (!isHeld) close();
      }}
      open
      ref={ref}
      tabIndex={-1}
    >
      <div className="flex flex-col gap-5 p-6">
        <div className="flex flex-col gap-1">
          <h2
            className={cx("wrap-anywhere text-balance font-semibold text-base leading-6", !mustAnswer && "pr-8")}
            id={id}
          >
            {title}
          </h2>
          {description && (
            <div className="wrap-anywhere space-y-3 text-pretty text-muted text-sm leading-6" id={`${id}-about`}>
              {description}
            </div>
          )}
        </div>
        {children}
      </div>
      {/* Last in the order of focus, so that the first field gets it. */}
      {!mustAnswer &&
        (typeof closeTo === "string" ? (
          <Link
            aria-label="Close"
            className={crossLook}
            preventScrollReset
            replace
            to={closeTo}
            {...waiting(isSending)}
          >
            <X aria-hidden className="size-4" />
          </Link>
        ) : (
          <button aria-label="Close" className={crossLook} onClick={closeTo} type="button">
            <X aria-hidden className="size-4" />
          </button>
        ))}
    </dialog>
  );
}

/** The row of buttons at a dialog's foot, the main one last; of a long or large one it stays in sight. @param cancelTo the address without the dialog, for a Cancel */
export function DialogActions({ cancelTo, children }: { cancelTo?: string; children: ReactNode }) {
  const isSending = useIsSending();
  return (
    <div
      className={cx(
        "dialog-actions flex flex-wrap justify-end gap-3",
        "not-in-data-foot:max-sm:flex-col-reverse not-in-data-foot:max-sm:[&>*]:w-full",
        "in-data-foot:sticky in-data-foot:bottom-0 in-data-foot:-mx-6 in-data-foot:-mb-6 in-data-foot:border-line in-data-foot:border-t",
        "in-data-foot:bg-surface in-data-foot:px-6 in-data-foot:py-4 in-data-foot:max-sm:[&>*]:flex-1",
      )}
    >
      {cancelTo !== undefined && (
        <ButtonLink preventScrollReset replace to={cancelTo} {...waiting(isSending)}>
          Cancel
        </ButtonLink>
      )}
      {children}
    </div>
  );
}

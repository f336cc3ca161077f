import { X } from "lucide-react";
import * as Toast from "radix-ui/toast";
import { cx } from "./cx";
import type { Message } from "./toast";
import type { Tone } from "./tone";
import { toneIcons } from "./tone-icons";

const colours: Record<Tone, string> = {
  neutral: "text-muted",
  accent: "text-accent",
  success: "text-success",
  warning: "text-warning",
  danger: "text-danger",
};
const SHOWN_MS = 6_000;

/**
 * The messages at the foot of the window. On a phone, where there they would cover the button that was pressed, over the top
 * bar: three lines go no further than to the page's heading.
 * F8 goes to them, hovering or focus holds them. Loaded by toast.tsx.
 */
export default function ToastList({ messages, onDrop }: { messages: Message[]; onDrop: (id: number) => void }) {
  return (
    <Toast.Provider duration={SHOWN_MS} label="Message" swipeDirection="right">
      {messages.map(({ id, tone, text }) => {
        const Icon = toneIcons[tone];
        return (
          <Toast.Root
            className="flex animate-rise items-start gap-3 rounded-lg bg-surface py-3 pr-2 pl-4 shadow-float max-md:py-2"
            key={id}
            onOpenChange={(isOpen) => !isOpen && onDrop(id)}
            type={tone === "danger" ? "foreground" : "background"}
          >
            <Icon aria-hidden className={cx("mt-0.5 size-4 shrink-0", colours[tone])} />
            <Toast.Description className="wrap-anywhere min-w-0 grow text-sm leading-5">{text}</Toast.Description>
            <Toast.Close
              aria-label="Dismiss"
              className="-my-1 flex size-7 shrink-0 items-center justify-center rounded-md text-faint hover:bg-raised hover:text-ink pointer-coarse:-my-2.5 pointer-coarse:size-10"
            >
              <X aria-hidden className="size-3.5" />
            </Toast.Close>
          </Toast.Root>
        );
      })}
      <Toast.Viewport className="fixed right-0 bottom-0 z-50 flex w-96 max-w-full list-none flex-col gap-2 p-4 outline-none max-md:top-0 max-md:bottom-auto max-md:w-full max-md:p-1 max-md:[--rise:-0.5rem]" />
    </Toast.Provider>
  );
}

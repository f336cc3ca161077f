import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from "react";
import { Button } from "./button";
import type { Tone } from "./tone";

// The list itself (Radix) is loaded when the first message comes.
const ToastList = lazy(() => import("./toast-list").catch(() => ({ default: PlainList })));

export interface Message {
  id: number;
  tone: Tone;
  text: string;
}

/** Where the list does not come, as offline or from a server that was replaced meanwhile: the last words, as long as nobody dismisses them. */
const PlainList = ({ messages, onDrop }: { messages: Message[]; onDrop: (id: number) => void }) => (
  <div className="fixed right-0 bottom-0 z-50 flex w-96 max-w-full flex-col gap-2 p-4 empty:hidden" role="status">
    {messages.slice(-1).map(({ id, text }) => (
      <div
        className="flex items-start justify-between gap-3 rounded-lg bg-surface py-3 pr-2 pl-4 text-sm shadow-float"
        key={id}
      >
        <p className="wrap-anywhere min-w-0">{text}</p>
        <Button
          className="-my-1"
          onClick={() => {
            // The button goes with its message, and the focus would with it.
            document.getElementById("content")?.focus({ preventScroll: true });
            onDrop(id);
          }}
          size="sm"
          variant="ghost"
        >
          Dismiss
        </Button>
      </div>
    ))}
  </div>
);

type Say = (text: string, tone?: Tone) => void;
const ToastContext = createContext<Say>(() => {});

/** `const toast = useToast(); toast("Copied")`: a short message that goes by itself. Never the only place of what matters. */
export const useToast = () => useContext(ToastContext);

/** Stands once, in root.tsx. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const say = useCallback<Say>((text, tone = "success") => {
    setMessages((present) => [...present.slice(-2), { id: (present.at(-1)?.id ?? 0) + 1, tone, text }]);
  }, []);
  const drop = useCallback(
    (id: number) => setMessages((present) => present.filter((message) => message.id !== id)),
    [],
  );
  const [hasSpoken, setSpoken] = useState(false);
  if (messages.length > 0 && !hasSpoken) setSpoken(true);
  return (
    <ToastContext.Provider value={say}>
      {children}
      {hasSpoken && (
        <Suspense>
          <ToastList messages={messages} onDrop={drop} />
        </Suspense>
      )}
    </ToastContext.Provider>
  );
}

import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from "react";
import type { Tone } from "./tone";

// The list itself (Radix) is loaded when the first message comes.
const ToastList = lazy(() => import("./toast-list"));

export interface Message {
  id: number;
  tone: Tone;
  text: string;
}

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

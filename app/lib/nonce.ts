// The nonce of this response's Content-Security-Policy; entry.server.tsx provides it, the browser has none to know.
import { createContext, useContext } from "react";

export const NonceContext = createContext<string>("");

export const useNonce = () => useContext(NonceContext);

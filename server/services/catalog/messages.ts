// What an answer says beside its products: what was understood differently, and what to do next.

export interface Message {
  type: "info" | "warning" | "error";
  code: string;
  content: string;
  /** The argument that it is about. */
  path?: string;
}

export const info = (code: string, content: string, path?: string): Message => ({
  type: "info",
  code,
  content,
  ...(path !== undefined && { path }),
});

export const warning = (code: string, content: string, path?: string): Message => ({
  ...info(code, content, path),
  type: "warning",
});

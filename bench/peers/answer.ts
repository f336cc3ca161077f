// What the naked peers answer with: one real answer of ours, read once.
import { readFileSync } from "node:fs";

export const structured = JSON.parse(readFileSync(process.env.ANSWER!, "utf8")) as Record<string, unknown>;
export const result = {
  content: [{ type: "text" as const, text: JSON.stringify(structured) }],
  structuredContent: structured,
};
export const port = Number(process.env.PORT);
export const description =
  "Everything about one store: name, contact, address, opening hours, shipping and return policy.";

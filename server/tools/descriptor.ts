// A tool as tools/list shows it, as JSON text, built once.
import { annotations, type Tool } from "./tool";

const built = new Map<string, string>();

/** @param directory as on a directory endpoint, which asks for no key */
export function descriptor(tool: Tool, directory: boolean): string {
  const key = `${tool.name} ${directory}`;
  let text = built.get(key);
  if (!text) {
    const { name, title, description, inputSchema, outputSchema, scope } = tool;
    const securitySchemes = directory ? [{ type: "noauth" }] : [{ type: "http", scheme: "bearer", scopes: [scope] }];
    text = JSON.stringify({
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
      securitySchemes,
      _meta: { securitySchemes },
    });
    built.set(key, text);
  }
  return text;
}

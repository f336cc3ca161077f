// The tools as pages show them: from the tool objects themselves, so that no page can drift from what is served.
import { tools } from ".";
import { exampleFor } from "./tool";

const NO_STORE = "00000000-0000-0000-0000-000000000000";

/** Every tool in its fixed order. @param demoStoreId the store in the examples; null where no demo store is loaded */
export const catalogue = (demoStoreId: string | null) =>
  tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    scope: tool.scope,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    example: exampleFor(tool, demoStoreId ?? NO_STORE),
  }));

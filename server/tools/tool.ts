// What a tool is. One file a tool; `index.ts` lists them, and from that list come tools/list, the docs and the contract tests.
import type { z } from "zod";
import type { Consumer, Ctx, Scope } from "../context";
import type { JsonText } from "../json-text";
import { inputSchema, type JsonSchema, outputSchema } from "./json-schema";

type JsonObject = Record<string, unknown>;

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** snake_case; the file is the same in kebab-case. */
  name: string;
  title: string;
  /** Written for a model: what it answers, when to use another tool, what to do with `product_url`. */
  description: string;
  scope: Scope;
  /** `z.strictObject`: unknown arguments are refused by name. Every property has a description. */
  input: Input;
  output: Output;
  /** Arguments that work on the demo store, whose id DEMO_STORE stands for: for the docs, the Playground and the tests. */
  example: JsonObject;
  /** What a shopper says that this tool answers, of the demo store: the test prompt for assistants' directories. */
  prompt: string;
  /** The one store that a call asks for, if it names one. Its usage row names it if the call was answered from it. */
  storeOf?: (input: z.output<Input>) => string | undefined;
  /** Is the answer from that store? Only for a tool that also answers where the store can't be read; others throw there. */
  isFromStore?: (answer: z.input<Output>) => boolean;
  /** The ids of the products that the call names in that store, for the usage row. */
  productsOf?: (input: z.output<Input>) => readonly string[];
  /** Gives the answer, or its text where the database makes it: `tests/tools/contract.test.ts` holds both to `output`. */
  handler: (ctx: Ctx<Consumer>, input: z.output<Input>) => Promise<z.input<Output> | JsonText>;
}

/** A tool as the pipeline sees it, whatever its types. */
export interface Tool
  extends Omit<ToolDefinition<z.ZodObject, z.ZodObject>, "handler" | "storeOf" | "isFromStore" | "productsOf"> {
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  storeOf?: (input: never) => string | undefined;
  isFromStore?: (answer: never) => boolean;
  productsOf?: (input: never) => readonly string[];
  handler: (ctx: Ctx<Consumer>, input: never) => Promise<JsonObject | JsonText>;
}

/** Adds the JSON Schemas to a definition; otherwise an identity, for its types. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  return {
    ...definition,
    inputSchema: inputSchema(definition.input),
    outputSchema: outputSchema(definition.output),
  } as Tool;
}

export const DEMO_STORE = "$demo_store";

/** A tool's example with the demo store's id in it. */
export const exampleFor = (tool: Tool, demoStoreId: string): JsonObject =>
  JSON.parse(JSON.stringify(tool.example).replaceAll(DEMO_STORE, demoStoreId));

/** Every tool reads, and says so in full. */
export const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

// What the JSON editor knows of a tool's inputSchema: faults at their place, and names and values to complete.
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from "@codemirror/autocomplete";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { parsed } from "~/lib/json-text";
import { type Path, schemaAt, type ToolSchema } from "./tool-schema";
import { faultsOf } from "./validator";

/** Faults of the text: the first of JSON; where there is none, those of the schema. */
export function lintAgainst(schema: ToolSchema) {
  return ({ state }: { state: EditorState }): Diagnostic[] => {
    const value = parsed(state.doc.toString());
    if (value === undefined) return [syntaxFault(state)];
    return faultsOf(schema, value).map(({ path, message }) => ({
      ...placeOf(state, path),
      message,
      severity: "error",
    }));
  };
}

/** Where the text stops being JSON, by the editor's own parser: the engine's message says no place that all of them share. */
function syntaxFault(state: EditorState): Diagnostic {
  const { length } = state.doc;
  const at = (ensureSyntaxTree(state, length, PARSE_MS) ?? syntaxTree(state)).cursor();
  while (!at.type.isError && at.next());
  const { from, to, node } = at;
  // What is missing has no length: what stands in its place is marked, or what stands before the end.
  const end = Math.min(length, Math.max(to, from + 1));
  const message = `This is not valid JSON: expected ${expected(node, state.sliceDoc(from, to))}.`;
  return { from: Math.min(from, Math.max(0, end - 1)), to: end, message, severity: "error" };
}

const PARSE_MS = 100;
const VALUE = 'a value, such as "text", 3, true, [ ] or { }';

function expected({ parent, prevSibling }: SyntaxNode, found: string): string {
  const before = prevSibling?.name;
  if (found.startsWith('"')) return "a string that ends, with \\ before quotes and backslashes in it";
  if (parent?.name === "Property") return before === "PropertyName" ? "a colon" : before === ":" ? VALUE : NAME;
  if (parent?.name === "Object") return before === "Property" ? "a comma or }" : NAME;
  if (parent?.name === "Array") return before === "[" || before === "," ? VALUE : "a comma or ]";
  return before ? "nothing more" : "the arguments, such as { }";
}

const NAME = "a name in double quotes";

/** Where in the text the value at a path stands; its nearest surroundings where it stands nowhere. */
function placeOf(state: EditorState, path: string[]): { from: number; to: number } {
  let node = syntaxTree(state).topNode.firstChild;
  for (const step of path) {
    const next: SyntaxNode | null = node && inside(state, node, step);
    if (!next) break;
    node = next;
  }
  if (!node) return { from: 0, to: state.doc.length };
  // A whole object underlined says nothing: its first character does.
  return node.name === "Object" ? { from: node.from, to: node.from + 1 } : { from: node.from, to: node.to };
}

function inside(state: EditorState, node: SyntaxNode, step: string): SyntaxNode | null {
  if (node.name === "Array") return valuesOf(node)[Number(step)] ?? null;
  for (const property of node.getChildren("Property")) {
    if (nameOf(state, property) === step) return property.lastChild;
  }
  return null;
}

const punctuation = new Set(["[", "]", ",", "⚠"]);
function valuesOf(array: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (!punctuation.has(child.name)) found.push(child);
  }
  return found;
}

function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild("PropertyName");
  if (!name) return "";
  try {
    return String(JSON.parse(state.sliceDoc(name.from, name.to)));
  } catch {
    return "";
  }
}

/** Names of arguments that are not there yet, or the values that one may have. */
export function completeFrom(schema: ToolSchema) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context;
    const node = syntaxTree(state).resolveInner(pos, -1);
    const typed = context.matchBefore(/"?[\w]*/);
    if (!explicit && (!typed || typed.from === typed.to)) return null;
    const from = typed?.from ?? pos;
    const object = holder(node, "Object");
    const property = holder(node, "Property");
    const isValue =
      property && object && property.from > object.from && /:\s*"?[\w]*$/.test(state.sliceDoc(property.from, pos));
    if (isValue) return values(schemaAt(schema, pathOf(state, property)), from);
    const list = holder(node, "Array");
    if (list && (!object || list.from > object.from)) return values(schemaAt(schema, pathOf(state, list))?.items, from);
    if (!object) return null;
    const there = new Set(object.getChildren("Property").map((one) => nameOf(state, one)));
    return names(schemaAt(schema, pathOf(state, object)), there, from);
  };
}

/** The nearest node of a kind, itself included; not across a closed value. */
function holder(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (at.name === name) return at;
  return null;
}

function pathOf(state: EditorState, node: SyntaxNode): Path {
  const path: Path = [];
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "Property") path.unshift(nameOf(state, at));
    else if (at.parent?.name === "Array") {
      const { from } = at;
      path.unshift(valuesOf(at.parent).findIndex((value) => value.from === from));
    }
  }
  return path;
}

function names(schema: ToolSchema | undefined, there: Set<string>, from: number): CompletionResult | null {
  const options = Object.entries(schema?.properties ?? {})
    .filter(([name]) => !there.has(name))
    .map(([name, property]): Completion => {
      const required = schema?.required?.includes(name) ? "required" : undefined;
      const told = {
        label: `"${name}"`,
        type: "property",
        detail: required ?? property.type,
        info: property.description,
      };
      return snippetCompletion(`"${name}": ${blank(property)}`, told);
    });
  return options.length > 0 ? { from, options, validFor: /^"?\w*$/ } : null;
}

/** Where the cursor goes, as CodeMirror's snippets write it. */
const HOLE = "$".concat("{}");

/** A value to type over. */
function blank({ type, enum: choices }: ToolSchema): string {
  if (type === "object") return `{${HOLE}}`;
  if (type === "array") return `[${HOLE}]`;
  return type === "string" && !choices ? `"${HOLE}"` : HOLE;
}

function values(schema: ToolSchema | undefined, from: number): CompletionResult | null {
  const choices =
    schema?.enum?.map((one) => JSON.stringify(one)) ?? (schema?.type === "boolean" ? ["true", "false"] : []);
  if (choices.length === 0) return null;
  return { from, options: choices.map((label) => ({ label, type: "enum" })), validFor: /^"?\w*$/ };
}

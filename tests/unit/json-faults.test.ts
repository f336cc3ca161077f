import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { lintAgainst } from "../../app/playground/json-schema-support";

const faults = (doc: string) => {
  const state = EditorState.create({ doc, extensions: [json()] });
  return lintAgainst({ type: "object" })({ state }).map(({ from, to, message }) => [doc.slice(from, to), message]);
};

it.each([
  ['{"query": tent}', "tent", 'a value, such as "text", 3, true, [ ] or { }'],
  ['{"limit": }', "}", 'a value, such as "text", 3, true, [ ] or { }'],
  ['{"limit": 1', "1", "a comma or }"],
  ["{limit: 1}", "limit", "a name in double quotes"],
  ['{"limit": 1,}', "}", "a name in double quotes"],
  ['{"limit" 1}', "1", "a colon"],
  ['{"query": "ten', '"ten', "a string that ends, with \\ before quotes and backslashes in it"],
  ["[1 2]", "2", "a comma or ]"],
  ["{} x", "x", "nothing more"],
  ["", "", "the arguments, such as { }"],
])("what is no JSON in %s is marked where it stands", (doc, marked, expected) => {
  expect(faults(doc)).toEqual([[marked, `This is not valid JSON: expected ${expected}.`]]);
});

it("JSON that fits has no fault", () => {
  expect(faults('{"query": "tent"}')).toEqual([]);
});

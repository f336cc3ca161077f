// The JSON editor (CodeMirror), loaded with the form. It colours, checks and completes by the tool's inputSchema.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { completeFrom, lintAgainst } from "./json-schema-support";
import type { ToolSchema } from "./tool-schema";

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.bool, tags.null], color: "var(--code-keyword)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.8125rem", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace', lineHeight: "1.5rem" },
  ".cm-content": { padding: "0.75rem 0", caretColor: "var(--ink)", fontVariantLigatures: "none" },
  ".cm-line": { paddingRight: "1rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--raised)",
    outline: "1px solid var(--edge)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "0.5rem",
    boxShadow: "0 12px 32px -8px var(--shade)",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: '"JetBrains Mono Variable", monospace', fontSize: "0.8125rem" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-fill)",
    color: "var(--accent-ink)",
  },
  ".cm-completionInfo": { maxWidth: "20rem", padding: "0.5rem 0.75rem", fontSize: "0.8125rem" },
  ".cm-completionDetail": { color: "var(--faint)", fontStyle: "normal" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-diagnostic": { padding: "0.375rem 0.75rem", fontSize: "0.8125rem" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--danger-mark)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--danger-mark)",
    textUnderlineOffset: "4px",
  },
});

/** The nonce of this document: scripts can read it as a property, though never as an attribute. */
const nonce = () => document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";

export default function JsonEditor({
  value,
  schema,
  label,
  onChange,
}: {
  value: string;
  schema: ToolSchema;
  label: string;
  onChange: (text: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  const report = useRef(onChange);
  report.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the moment begins it; later ones come below
  useEffect(() => {
    const changed = EditorView.updateListener.of((update) => {
      const text = update.state.doc.toString();
      // What came from the form goes not back to it.
      if (update.docChanged && !update.transactions.some((one) => one.isUserEvent("set"))) report.current(text);
    });
    const state = EditorState.create({ doc: value, extensions: [extensions(schema, label), changed] });
    view.current = new EditorView({ state, parent: box.current! });
    return () => view.current?.destroy();
  }, [schema, label]);
  useEffect(() => {
    const { current } = view;
    const shown = current?.state.doc.toString();
    if (!current || shown === value) return;
    current.dispatch({ changes: { from: 0, to: shown!.length, insert: value }, userEvent: "set" });
  }, [value]);
  return <div className="h-full min-h-48" ref={box} />;
}

const extensions = (schema: ToolSchema, label: string): Extension => [
  EditorView.cspNonce.of(nonce()),
  // Focusable as it is; a tabindex says so to those who look for one in a region that scrolls.
  EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  EditorView.lineWrapping,
  lineNumbers(),
  history(),
  bracketMatching(),
  closeBrackets(),
  json(),
  syntaxHighlighting(colours),
  look,
  linter(lintAgainst(schema), { delay: 300 }),
  autocompletion({ override: [completeFrom(schema)], icons: false }),
  // Tab stays the browser's own: nobody is held in the editor. Mod-Enter belongs to the page: it runs the tool.
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...historyKeymap,
    ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
  ]),
];

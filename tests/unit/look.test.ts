import { describe, expect, it } from "vitest";
import { relativeTime } from "../../app/lib/relative-time";
import { highlight } from "../../app/ui/highlight";
import { colours } from "../../tailwind.config";

type Name = keyof typeof colours;

const texts: [text: Name, grounds: Name[]][] = [
  ...(["ink", "muted", "faint", "accent"] as const).map((text): [Name, Name[]] => [
    text,
    ["canvas", "surface", "sunken", "raised"],
  ]),
  ["ink", ["control", "control-hover", "accent-soft", "success-soft", "warning-soft", "danger-soft"]],
  ["accent", ["accent-soft"]],
  ["success", ["surface", "success-soft"]],
  ["warning", ["surface", "warning-soft"]],
  ["danger", ["surface", "canvas", "danger-soft"]],
  ["accent-ink", ["accent-fill", "accent-fill-hover", "danger-fill", "danger-fill-hover"]],
  ...(["code-key", "code-string", "code-number", "code-keyword", "code-comment"] as const).map(
    (text): [Name, Name[]] => [text, ["sunken", "surface"]],
  ),
];
const marks: [mark: Name, grounds: Name[]][] = [
  ["edge", ["surface", "canvas", "sunken"]],
  ["accent", ["canvas", "surface"]],
  ["accent-fill", ["surface"]],
  ["danger-mark", ["surface"]],
  ["success-mark", ["surface"]],
  ["warning-mark", ["surface"]],
];
const themes = [
  ["light", 0],
  ["dark", 1],
] as const;

describe.each(themes)("in the %s theme", (_theme, side) => {
  it.each(pairs(texts))("text %s on %s has a contrast of 4.5", (text, ground) => {
    expect(contrast(colours[text][side], colours[ground][side])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs(marks))("the mark %s on %s has a contrast of 3", (mark, ground) => {
    expect(contrast(colours[mark][side], colours[ground][side])).toBeGreaterThanOrEqual(3);
  });
});

it.each(["json", "sh", "ts", "python", "http"] as const)(
  "highlighting %s neither drops nor adds a character",
  (language) => {
    const code = `POST /x\nA: b\n{ "a": [1, -2.5e3, "x\\"y"], 'b': null } # note\n// ${"`t`"} $KEY --flag`;
    const pieces = highlight(code, language);
    expect(pieces.map(({ text }) => text).join("")).toBe(code);
    expect(pieces.length).toBeGreaterThan(3);
  },
);

it.each([
  ["2026-03-04T12:00:30Z", "in a moment"],
  ["2026-03-04T12:00:15Z", "just now"],
  ["2026-03-04T11:59:00Z", "1 minute ago"],
  ["2026-03-04T09:00:00Z", "3 hours ago"],
  ["2026-03-06T12:00:30Z", "in 2 days"],
  ["2026-03-11T11:59:30Z", "in 7 days"],
  ["2026-03-04T12:59:40Z", "in 1 hour"],
  ["2026-03-05T11:59:40Z", "in 1 day"],
  ["2026-03-04T11:30:00Z", "30 minutes ago"],
  ["2026-03-04T10:10:00Z", "2 hours ago"],
  ["2026-03-04T00:00:00Z", "12 hours ago"],
  ["2026-01-04T12:00:00Z", "4 Jan 2026"],
])("the time %s is %s", (at, words) => {
  expect(relativeTime(new Date(at), Date.parse("2026-03-04T12:00:00Z"))).toBe(words);
});

function pairs(table: [Name, Name[]][]) {
  return table.flatMap(([name, grounds]) => grounds.map((ground): [Name, Name] => [name, ground]));
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

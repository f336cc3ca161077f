import { expect, it } from "vitest";
import { initials } from "../../app/ui/initials";

it.each([
  ["Ada Lovelace", "AL"],
  ["ada maria lovelace", "AL"],
  ["Ada", "A"],
  ["\u{1F1E9}\u{1F1EA} Team", "\u{1F1E9}\u{1F1EA}T"],
  ["Team \u{1F469}\u200D\u{1F680}", "T\u{1F469}\u200D\u{1F680}"],
  ["\u200F\u05E2\u05D3\u05D4", "\u05E2"],
  ["E\u0301mile Zola", "E\u0301Z"],
  ["Ada \u200F", "A"],
  ["\u200F", "?"],
  ["", "?"],
])("%j has the initials %j", (name, shown) => {
  expect(initials(name)).toBe(shown);
});

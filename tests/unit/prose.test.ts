import { describe, expect, it } from "vitest";
import { parseProse } from "../../app/lib/prose";

const plain = (text: string) => [{ kind: "plain", text }];

describe("a published text", () => {
  it("has headings, paragraphs over several lines, and lists", () => {
    expect(parseProse("# Terms\nfirst line\r\n  second line\n\n## Part\n- one\n- two\n  goes on\n\n- three")).toEqual([
      { kind: "heading", level: 1, text: plain("Terms") },
      { kind: "paragraph", text: plain("first line second line") },
      { kind: "heading", level: 2, text: plain("Part") },
      { kind: "list", start: null, items: [plain("one"), plain("two goes on"), plain("three")] },
    ]);
  });

  it("keeps the numbers of its clauses, though a paragraph stands between", () => {
    expect(
      parseProse("1. a\n\n2. b\n\nBetween.\n\n3. c").map((block) => (block.kind === "list" ? block.start : null)),
    ).toEqual([1, null, 3]);
  });

  it("knows bold, code and links to the web", () => {
    expect(parseProse("**Keep** `_meta`, [read](https://aisle.example/a?b=c).")).toEqual([
      {
        kind: "paragraph",
        text: [
          { kind: "strong", text: "Keep" },
          { kind: "plain", text: " " },
          { kind: "code", text: "_meta" },
          { kind: "plain", text: ", " },
          { kind: "link", text: "read", href: "https://aisle.example/a?b=c" },
          { kind: "plain", text: "." },
        ],
      },
    ]);
  });

  it("never makes markup or a link of anything else: it stays as it was typed", () => {
    for (const text of [
      "<img src=x onerror=alert(1)>",
      "[x](javascript:alert(1))",
      "[x](data:text/html,y)",
      "2 ** 3 ** 4",
    ]) {
      expect(parseProse(text)).toEqual([{ kind: "paragraph", text: plain(text) }]);
    }
  });
});

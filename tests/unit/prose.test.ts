import { describe, expect, it } from "vitest";
import { diffOf } from "../../app/desk/text-diff.server";
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

describe("as long a text as may be published", () => {
  // Without the bounds each of these takes minutes, far longer than a test may.
  const fill = (part: string) => part.repeat(Math.floor(1_000_000 / part.length));
  const words = (start: number, between: string) =>
    Array.from({ length: 14_000 }, (_, i) => (start + i).toString(36)).join(between);

  it.each(["[", "[a](", "[a](https://", "**a ", "**", "`"])("is read at once: made of %s", (part) => {
    const text = fill(part).trim();
    expect(parseProse(text)).toEqual([{ kind: "paragraph", text: [{ kind: "plain", text }] }]);
  });

  it.each(["# ", "1. "])("is read at once: made of %s", (part) => {
    expect(parseProse(fill(part))).toHaveLength(1);
  });

  it.each([
    ["one paragraph", " ", " "],
    ["very many paragraphs", "\n\n", "\n\n"],
    ["one paragraph that became many", " ", "\n\n"],
    ["many paragraphs that became one", "\n\n", " "],
  ])("is compared at once with another that shares no word with it: %s", (_, between, then) => {
    const [before, after] = [words(100_000, between), words(500_000, then)];
    const kinds = diffOf(before, after).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["removed", "added"]));
  });

  it("is compared at once: every long paragraph rewritten", () => {
    const text = (start: number) =>
      Array.from({ length: 40 }, (_, n) =>
        words(start + n, " ")
          .split(" ")
          .slice(0, 480)
          .join(" "),
      ).join("\n\n");
    const kinds = diffOf(text(100_000), text(500_000)).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["removed", "added"]));
  });
});

describe("two versions of a published text", () => {
  const changes = (before: string, after: string) =>
    diffOf(before, after)
      .filter(({ kind }) => kind !== "same")
      .map(({ kind, mark, pieces }) => [kind, mark, pieces.map(({ text }) => text).join("")]);

  it("are compared as they are read: without Markdown's marks, and with the address of a link", () => {
    expect(
      changes("# Terms\n\n1. a", "# Terms\n\n1. a\n\n2. **Be kind.** See `x` and [us](https://a.example)"),
    ).toEqual([["added", "2.", "Be kind. See x and us (https://a.example)"]]);
  });

  it("have what went before what came in its place", () => {
    const kinds = diffOf("Terms\n\nOne two three.\n\nEnd", "Terms\n\nFour five six.\n\nEnd").map(({ kind }) => kind);
    expect(kinds).toEqual(["same", "removed", "added", "same"]);
  });

  it("differ where a link leads elsewhere, though its words are the same", () => {
    const to = (href: string) => `Read [the whole policy](${href}) first.`;
    const [changed] = diffOf(to("https://a.example/old"), to("https://a.example/new"));
    expect(changed!.pieces.filter(({ kind }) => kind === "added")).toEqual([
      { kind: "added", text: "(https://a.example/new) " },
    ]);
  });

  it("differ where items became paragraphs, or lost their numbers", () => {
    expect(changes("1. First.\n2. Second.", "1. First.\n\nSecond.")).toEqual([["changed", "", "Second."]]);
    expect(changes("1. First.", "- First.")).toEqual([["changed", "•", "First."]]);
  });

  it("share an item that only has another number, and a paragraph that only has other lines", () => {
    const after = "1. New.\n2. **First.**\n3. Second.\n\nOne\nparagraph.";
    expect(changes("1. First.\n2. Second.\n\nOne paragraph.", after)).toEqual([["added", "1.", "New."]]);
  });
});

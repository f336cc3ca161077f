import { describe, expect, it } from "vitest";
import { Website } from "../../server/services/fields";

describe("a website that is typed", () => {
  it.each([
    ["shop.example", "https://shop.example"],
    [" https://shop.example/@ada?to=me@shop.example ", "https://shop.example/@ada?to=me@shop.example"],
    ["http://shop.example:8080", "http://shop.example:8080"],
  ])("may be %j", (typed, kept) => expect(Website.parse(typed)).toBe(kept));

  it.each([
    "ada@shop.example",
    "https://known.example@shop.example",
    "https://:secret@shop.example",
    "mailto:ada@shop.example",
    "a b",
  ])("is none where it is %j", (typed) => expect(Website.safeParse(typed).success).toBe(false));
});

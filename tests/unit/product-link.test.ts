import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { productUrl } from "../../server/services/product-link";

const live = { tier: "production", slug: "acme-shop-bot", utmSource: "acme" } as const;
const credit = "utm_source=acme&utm_medium=ai_agent&utm_campaign=acme-shop-bot&utm_content=sku-1";

describe("a product's link", () => {
  it.each([
    ["https://shop.example/p", `https://shop.example/p?${credit}`],
    ["https://shop.example/p?", `https://shop.example/p?${credit}`],
    ["https://shop.example/p#top", `https://shop.example/p?${credit}#top`],
    ["https://shop.example/p?a=1&b=%20x&a=2#f?g=1", `https://shop.example/p?a=1&b=%20x&a=2&${credit}#f?g=1`],
    ["https://shop.example/p?utm_source=old&utm_term=kept", `https://shop.example/p?utm_term=kept&${credit}`],
    ["https://shop.example/p?UTM_Source=old&utm%5Fmedium=old&x=1", `https://shop.example/p?x=1&${credit}`],
    ["https://shop.example/p?utm_content", `https://shop.example/p?${credit}`],
    ["https://shop.example/a,b;c/ü?q=a+b", `https://shop.example/a,b;c/ü?q=a+b&${credit}`],
  ])("%s carries the platform's credit", (link, expected) => {
    expect(productUrl(link, "sku-1", live)).toBe(expected);
  });

  it("credits the sandbox in sandbox, whatever utm_source the consumer has", () => {
    expect(productUrl("https://shop.example/p", "1", { ...live, tier: "sandbox" })).toContain(
      "utm_source=aisle_sandbox&",
    );
  });

  it("credits the sandbox where a platform that is live has no utm_source", () => {
    expect(productUrl("https://shop.example/p", "1", { ...live, utmSource: null })).toContain(
      "utm_source=aisle_sandbox&",
    );
  });

  it("keeps every other parameter and the fragment, has each credit once, and is stable when done again", () => {
    const name = fc.constantFrom(
      "a",
      "utm_source",
      "utm_id",
      "Utm_Campaign",
      "utm%5Fmedium",
      "x[]",
      "q%20r",
      "utm_content",
    );
    const pair = fc
      .tuple(name, fc.webQueryParameters())
      .map(([n, v]) => `${n}=${v.replaceAll("&", "").replaceAll("=", "")}`);
    const id = fc.oneof(fc.string({ minLength: 1, unit: "binary" }), fc.constantFrom("half \ud800", "\udfff"));
    const credits = ["utm_source", "utm_medium", "utm_campaign", "utm_content"];
    const isCredit = (pair: string) => credits.includes(decodeURIComponent(pair.split("=")[0]!).toLowerCase());
    fc.assert(
      fc.property(fc.array(pair), fc.option(fc.webFragments(), { nil: undefined }), id, (pairs, fragment, id) => {
        const link = `https://shop.example/p${pairs.length ? `?${pairs.join("&")}` : ""}${fragment === undefined ? "" : `#${fragment}`}`;
        const made = productUrl(link, id, live);
        const [address, ...rest] = made.split("#");
        expect(rest.join("#")).toBe(fragment ?? "");
        const [path, ...query] = address!.split("?");
        expect(path).toBe("https://shop.example/p");
        const parameters = query.join("?").split("&");
        const content = parameters.at(-1)!;
        expect(parameters).toEqual([
          ...pairs.filter((pair) => !isCredit(pair)),
          ...["utm_source=acme", "utm_medium=ai_agent", "utm_campaign=acme-shop-bot"],
          content,
        ]);
        // Half of a surrogate pair can't be in a URL: there it is the replacement character.
        expect([...new URLSearchParams(content)]).toEqual([["utm_content", id.toWellFormed()]]);
        expect(productUrl(made, id, live)).toBe(made);
      }),
    );
  });
});

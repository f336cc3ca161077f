import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ampersands } from "../../server/services/feeds/ampersand";
import type { RawRow } from "../../server/services/feeds/raw-row";
import { XmlReader } from "../../server/services/feeds/xml";

function rowsOf(text: string, size = text.length): RawRow[] {
  const reader = new XmlReader();
  const rows: RawRow[] = [];
  for (let at = 0; at < text.length; at += size) rows.push(...reader.write(text.slice(at, at + size)));
  return [...rows, ...reader.end()];
}
const rss = (inside: string) => `<?xml version="1.0"?>\n<rss><channel>${inside}</channel></rss>`;

describe("an XML feed", () => {
  it("reads every text back, escaped or in CDATA, however the file is cut", () => {
    const unit = fc.constantFrom(..."ab <>&;#\"'-]é😀");
    const escaped = (text: string) => text.replace(/[<>&]/g, (c) => `&#${c.charCodeAt(0)};`);
    const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
    const write = fc.constantFrom(escaped, cdata);
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), write, fc.integer({ min: 1, max: 30 }), (text, way, size) => {
        const rows = rowsOf(rss(`<item><!-- & --><g:id>1</g:id><title>${way(text)}</title></item>`), size);
        expect(rows[0]?.fields.get("title")).toEqual([text]);
      }),
      { numRuns: 400 },
    );
  });

  it("takes an & for an &, wherever XML would have it escaped", () => {
    const [row] = rowsOf(
      rss("<item><link>https://x.example/?a=1&b=2&amp;c=3&copy;=4</link><title>A &nbsp; B & C</title></item>"),
    );
    expect(row?.fields.get("link")).toEqual(["https://x.example/?a=1&b=2&c=3&copy;=4"]);
    expect(row?.fields.get("title")).toEqual(["A &nbsp; B & C"]);
  });

  it("reads a part whatever it is called", () => {
    const [row] = rowsOf(rss("<item><variant_dict><Constructor>Ferrari</Constructor></variant_dict></item>"));
    expect(row?.fields.get("variant_dict")).toEqual([{ constructor: "Ferrari" }]);
  });

  it("may call Google's namespace as it likes, but not by ever more names", () => {
    const named = (times: number) =>
      Array.from({ length: times }, (_, n) => {
        const p = `p${n}`;
        return `<item xmlns:${p}="http://base.google.com/ns/1.0"><${p}:id>${n}</${p}:id></item>`;
      }).join("\n");
    expect(rowsOf(rss(named(19))).map(({ fields }) => fields.get("id"))).toHaveLength(19);
    expect(() => rowsOf(rss(named(20)))).toThrow("Line 21: more than 20 prefixes stand for Google's namespace.");
  });

  it.each([1, 2, 1_000])(
    "has its lines counted from the first, blank ones before its declaration, in pieces of %i",
    (size) => {
      const lines = (inside: string) => `\n \r\n${rss(inside)}`;
      const rows = rowsOf(lines("<item><id>1</id></item>\n<item><id>2</id><title>a&#0;b</title></item>"), size);
      expect(rows.map(({ line, fault }) => [line, fault?.value])).toEqual([
        [4, undefined],
        [5, "2"],
      ]);
      expect(() => rowsOf(lines("<item>\n</rss>"), size)).toThrow("Line 5: the file is not well-formed XML");
    },
  );

  it("is refused by the name of its root, whatever that is", () => {
    for (const root of ["catalog", "constructor"])
      expect(() => rowsOf(`<${root}><item/></${root}>`)).toThrow(`The file's root is <${root}>.`);
  });

  it("prefers Google's elements, reads any prefix for them, and leaves other namespaces alone", () => {
    const [row] = rowsOf(
      `<rss xmlns:p="http://base.google.com/ns/1.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
        <p:title>Right</p:title><title>Wrong</title><media:title>Worse</media:title><p:id>1</p:id>
        <p:shipping><p:country>IE</p:country><p:price>4 EUR</p:price></p:shipping></item></channel></rss>`,
    );
    expect(row?.fields.get("title")).toEqual(["Right"]);
    expect(row?.fields.get("shipping")).toEqual([{ country: "IE", price: "4 EUR" }]);
  });

  it("takes Atom's link to the product itself, and none to anything else", () => {
    const links = ["self", "alternate", "enclosure"].map(
      (rel) => `<link rel="${rel}" href="https://x.example/${rel}"/>`,
    );
    const [row] = rowsOf(`<feed><entry><id>1</id>${links.join("")}</entry></feed>`);
    expect(row?.fields.get("link")).toEqual(["https://x.example/alternate"]);
  });

  it.each([
    ["Soft <b>and</b> warm<br/>wool", "Soft and warm\nwool"],
    ["<p>Soft <i>&amp; <b>warm</b></i></p>\n  <p>wool</p>", "Soft & warm\nwool"],
    ["<div><ul><li>one</li><li>two</li></ul></div>", "one\ntwo"],
    ["<![CDATA[a < b]]> <em>&lt;c&gt;</em>", "a < b <c>"],
  ])("keeps the text of markup that was not escaped: %s", (inside, text) => {
    const [row] = rowsOf(rss(`<item><id>1</id><description>${inside}</description><title>Rug</title></item>`), 7);
    expect(row?.fields.get("description")).toEqual([text]);
    expect(row?.fields.get("title")).toEqual(["Rug"]);
  });

  it("takes at most a thousand elements of one name from an item", () => {
    const [row] = rowsOf(rss(`<item>${"<g:id>1</g:id>".repeat(60_000)}<g:title>Rug</g:title></item>`));
    expect(row?.fields.get("id")).toHaveLength(1_000);
    expect(row?.fields.get("title")).toEqual(["Rug"]);
  });

  it("reads the parts of shipping, product_detail and variant_dict, and text everywhere else", () => {
    const [row] = rowsOf(
      rss(`<item><shipping><country>IE</country><price>4 EUR</price></shipping>
        <product_detail><attribute_name>Wood</attribute_name><attribute_value>Oak</attribute_value></product_detail>
        <variant_dict><Color>Red</Color></variant_dict>
        <images><image>https://x.example/1.jpg</image><image>https://x.example/2.jpg</image></images>
        <price><value>12.50</value><currency>EUR</currency></price></item>`),
    );
    expect(row?.fields.get("shipping")).toEqual([{ country: "IE", price: "4 EUR" }]);
    expect(row?.fields.get("product_detail")).toEqual([{ attribute_name: "Wood", attribute_value: "Oak" }]);
    expect(row?.fields.get("variant_dict")).toEqual([{ color: "Red" }]);
    expect(row?.fields.get("image_link")).toEqual(["https://x.example/1.jpg https://x.example/2.jpg"]);
    expect(row?.fields.get("price")).toEqual(["12.50 EUR"]);
  });

  it("reads what an attribute names as the currency of an amount, beside what the amount says", () => {
    const [row] = rowsOf(
      rss(`<item><price currency="USD">9.90</price><sale_price unit=" eur ">9 EUR</sale_price>
        <shipping><country>US</country><price currencyId="USD">5</price></shipping>
        <installment><months unit="month">6</months><amount currency="USD">2</amount></installment></item>`),
    );
    expect(Object.fromEntries(row!.fields)).toMatchObject({
      price: ["9.90 USD"],
      sale_price: ["9 EUR eur"],
      shipping: [{ country: "US", price: "5 USD" }],
      installment: [{ months: "6", amount: "2 USD" }],
    });
    const priced = (inside: string) => rowsOf(rss(`<item>${inside}</item>`))[0]!.fields;
    expect(priced('<shipping_price currency_code="€">4</shipping_price>').get("shipping")).toEqual(["4 €"]);
    expect(priced('<price unit="piece">9.90</price><price currencyId="2">8</price>').get("price")).toEqual([
      "9.90",
      "8",
    ]);
    expect(priced('<price currency="USD"/>').get("price")).toEqual([]);
    expect(priced('<weight currency="USD">2</weight>').get("product_weight")).toEqual(["2"]);
    expect(priced('<category id="5" currency="USD">Tents 2</category>').get("product_type")).toEqual(["Tents 2"]);
  });

  it("reads what attributes say of an element without text, and of a measure its unit", () => {
    const field = (inside: string) => [...rowsOf(rss(`<item>${inside}</item>`), 5)[0]!.fields.values()][0];
    expect(field('<price value="9.90" currency="EUR"/>')).toEqual(["9.90 EUR"]);
    expect(field('<price value="990">9.90 EUR</price>')).toEqual(["9.90 EUR"]);
    expect(field('<availability value="in_stock"></availability>')).toEqual(["in_stock"]);
    expect(field('<shipping><country>DE</country><price value="5" currency="EUR"/></shipping>')).toEqual([
      { country: "DE", price: "5 EUR" },
    ]);
    expect(field('<brand value="5"><name>Acme</name></brand>')).toEqual(["Acme"]);
    expect(field('<weight unit="kg">0.5</weight>')).toEqual(["0.5 kg"]);
    expect(field('<product_length unit="cm" value="20"/>')).toEqual(["20 cm"]);
    expect(field('<weight unit="g">0.5 kg</weight>')).toEqual(["0.5 kg"]);
    expect(field('<size unit="EU">42</size>')).toEqual(["42"]);
  });

  it("reads the currency that shipping names for its parts", () => {
    const field = (inside: string) => [...rowsOf(rss(`<item>${inside}</item>`))[0]!.fields.values()][0];
    expect(field('<shipping currency="USD"><country>US</country><price>5</price></shipping>')).toEqual([
      { country: "US", price: "5", currency: "USD" },
    ]);
    expect(field('<shipping currency="USD"/>')).toEqual([]);
  });

  it("calls what sets variants apart as its elements are called, in words", () => {
    const dict = "<variant_dict><ShoeWidth>wide</ShoeWidth><Toe_Shape>round</Toe_Shape></variant_dict>";
    const [row] = rowsOf(rss(`<item>${dict}</item>`));
    expect(row?.fields.get("variant_dict")).toEqual([{ "shoe width": "wide", "toe shape": "round" }]);
  });

  it("reads the name of what has one among other things, and markup as text", () => {
    const field = (inside: string) => [...rowsOf(rss(`<item>${inside}</item>`), 5)[0]!.fields.values()][0];
    expect(field("<brand> <id>5</id> <name>Acme &amp; <b>Sons</b></name> </brand>")).toEqual(["Acme & Sons"]);
    expect(field("<category><id>5</id><title>Tents</title></category>")).toEqual(["Tents"]);
    expect(field("<brand>The <name>Acme</name></brand>")).toEqual(["The Acme"]);
    expect(field("<brand><name>Acme</name> Ltd</brand>")).toEqual(["Acme Ltd"]);
    expect(field("<brand><id>5</id></brand>")).toEqual(["5"]);
    expect(field("<description><name>Rug</name><p>of wool</p></description>")).toEqual(["Rug of wool"]);
  });

  it("reads a list's elements one by one", () => {
    const field = (inside: string) => [...rowsOf(rss(`<item>${inside}</item>`), 5)[0]!.fields.values()][0];
    expect(
      field("<categories><category>Camp &gt; Tents</category>\n<category><name>Sale</name></category></categories>"),
    ).toEqual(["Camp > Tents", "Sale"]);
    expect(field("<categories><category/></categories>")).toEqual([]);
    expect(
      field(
        "<product_details><product_detail><attribute_name>Wood</attribute_name><attribute_value>Oak</attribute_value></product_detail></product_details>",
      ),
    ).toEqual([{ attribute_name: "Wood", attribute_value: "Oak" }]);
    expect(
      field(
        "<highlights><product_highlight>Warm</product_highlight><product_highlight>Dry</product_highlight></highlights>",
      ),
    ).toEqual(["Warm", "Dry"]);
  });

  it("loses only the item that has a forbidden character", () => {
    const rows = rowsOf(rss("<item><id>1</id><title>a&#0;b</title></item>\n<item><id>2</id></item>"));
    expect(rows.map((row) => row.fault?.value ?? row.fields.get("id")?.[0])).toEqual(["1", "2"]);
    expect(rows.map((row) => row.line)).toEqual([2, 3]);
  });

  it("knows such an item by its id, unless the character stands in it", () => {
    const broken = (id: string, title: string) => `<item><title>${title}</title><id>${id}</id></item>`;
    const rows = rowsOf(rss(`${broken("1", "a&#0;b")}${broken("1&#0;2", "c")}${broken("3", "\u0001d")}`));
    expect(rows.map((row) => row.fields.get("id"))).toEqual([["1"], undefined, ["3"]]);
    expect(rows.every((row) => row.fault)).toBe(true);
  });
});

describe("ampersands", () => {
  it("are mended the same, however the text is cut", () => {
    const unit = fc.constantFrom(
      "&",
      "&amp;",
      "&#38;",
      "&x;",
      "<![CDATA[",
      "]]>",
      "<!--",
      "-->",
      "<",
      "a",
      ";",
      "]",
      "-",
    );
    fc.assert(
      fc.property(fc.array(unit), fc.integer({ min: 1, max: 12 }), (parts, size) => {
        const text = parts.join("");
        const [whole, pieces] = [new Ampersands(), new Ampersands()];
        let mended = "";
        for (let at = 0; at < text.length; at += size) mended += pieces.mend(text.slice(at, at + size));
        expect(mended + pieces.end()).toBe(whole.mend(text) + whole.end());
      }),
      { numRuns: 1000 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { googleCategory, pathOf } from "../../server/services/feeds/category";
import { checkDigit, parseGtin } from "../../server/services/feeds/gtin";
import { parseDay, parseInstant, parseWindow } from "../../server/services/feeds/instant";
import { clean, cut, plain } from "../../server/services/feeds/plain";
import { sharedTitle } from "../../server/services/feeds/title";
import { availabilityOf, conditionOf } from "../../server/services/feeds/vocabulary";
import { fold, searchable } from "../../server/services/fold";

describe("a GTIN", () => {
  it.each([
    ["4006381333931", "04006381333931"],
    ["036000291452", "00036000291452"],
    ["96385074", "00000096385074"],
    ["978-0-306-40615-7", "09780306406157"],
    ["00012345600012", "00012345600012"],
    ["2000000000015", "02000000000015"],
    // As spreadsheets and data frames leave them.
    ["4006381333931.0", "04006381333931"],
    ["'4006381333931", "04006381333931"],
    ['="036000291452"', "00036000291452"],
    ["4.006381333931E+12", "04006381333931"],
    ["4,006381333931e+12", "04006381333931"],
    ["ISBN 978-0-306-40615-7", "09780306406157"],
    ["GTIN-13: 4006381333931", "04006381333931"],
  ])("%s is %s", (text, gtin) => expect(parseGtin(text)).toEqual({ gtin }));

  it.each([
    "4006381333932",
    "400638133393",
    "123",
    "0000000000000",
    "4.00638E+12",
    "N4006381333931",
    "4006381333931.5",
    "",
  ])("%s is none", (text) => expect(parseGtin(text)).toBeTypeOf("string"));

  it("is the same number in every length, and no other with one digit changed", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(digits, fc.nat(7), fc.integer({ min: 1, max: 9 }), (body, at, add) => {
        fc.pre(/[1-9]/.test(body));
        const gtin = body + checkDigit(body);
        expect(parseGtin(gtin)).toEqual({ gtin: gtin.padStart(14, "0") });
        expect(parseGtin(gtin.padStart(13, "0"))).toEqual(parseGtin(gtin));
        const changed = gtin.slice(0, at) + ((Number(gtin[at]) + add) % 10) + gtin.slice(at + 1);
        expect(parseGtin(changed)).toBeTypeOf("string");
      }),
    );
  });
});

describe("a date", () => {
  it.each([
    ["2026-03-01", "2026-03-01T00:00:00.000Z"],
    ["2026-03-01T13:00-0800", "2026-03-01T21:00:00.000Z"],
    ["2026-03-01T13:00:00+05:30", "2026-03-01T07:30:00.000Z"],
    ["2026-03-01 13:00:59.5Z", "2026-03-01T13:00:59.000Z"],
    ["20260301T130000Z", "2026-03-01T13:00:00.000Z"],
    ["2026-03-01 9:05:00", "2026-03-01T09:05:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["01.03.2026", "2026-03-01T00:00:00.000Z"],
    ["1.3.2026 9:05", "2026-03-01T09:05:00.000Z"],
  ])("%s is %s", (text, instant) => expect(parseInstant(text)?.toISOString()).toBe(instant));

  it.each([
    "2026-02-30",
    "2026-13-01",
    "2026-03-01T25:00",
    "01/03/2026",
    "3/1/26",
    "01.03.26",
    "31.02.2026",
    "2026.03.01",
    "tomorrow",
    "",
    "2026-03-01T13:00 CET",
    "2026-03-01T90500",
  ])("%s is none", (text) => expect(parseInstant(text)).toBeUndefined());

  it.each([
    ["2026-12-01", "2026-12-01"],
    ["2026-12-01T00:00+0100", "2026-12-01"],
    ["2026-12-01 23:30:00-08:00", "2026-12-01"],
    ["20261201t000000Z", "2026-12-01"],
    ["2026-02-30T00:00Z", undefined],
    ["2026-12-01 soon", undefined],
    ["01.12.2026 23:30", "2026-12-01"],
  ])("%s is the day %s, as it is written", (text, day) =>
    expect(parseDay(text)).toEqual(day && new Date(`${day}T00:00:00Z`)),
  );

  it("as an end lasts until its day is over", () => {
    expect(parseInstant("2026-03-01", "end")?.toISOString()).toBe("2026-03-02T00:00:00.000Z");
    expect(parseWindow("2026-03-01/2026-03-01")).toEqual({
      start: new Date("2026-03-01T00:00:00Z"),
      end: new Date("2026-03-02T00:00:00Z"),
    });
    expect(parseWindow("01.03.2026 - 01.03.2026")).toEqual(parseWindow("2026-03-01/2026-03-01"));
  });

  it("as a last day lasts until that day is over, also where it is written as its midnight", () => {
    for (const text of ["2026-03-01", "2026-03-01 00:00:00", "2026-03-01T00:00Z"])
      expect(parseInstant(text, "last day")?.toISOString()).toBe("2026-03-02T00:00:00.000Z");
    expect(parseInstant("2026-03-01 18:00:00", "last day")?.toISOString()).toBe("2026-03-01T18:00:00.000Z");
    expect(parseInstant("2026-03-01 00:00:00", "end")?.toISOString()).toBe("2026-03-01T00:00:00.000Z");
  });

  it("reads back every instant that it writes", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1970-01-01"), max: new Date("9999-01-01"), noInvalidDate: true }),
        (date) => {
          date.setMilliseconds(0);
          expect(parseInstant(date.toISOString())).toEqual(date);
        },
      ),
    );
  });
});

describe("a window", () => {
  it("takes blanks around the slash, and one side alone", () => {
    expect(parseWindow("2026-03-01 / 2026-03-15")).toMatchObject({ start: new Date("2026-03-01") });
    expect(parseWindow("2026-03-01/")).toEqual({ start: new Date("2026-03-01"), end: undefined });
  });

  it("is none where blanks fill a cell, told before anybody would wait for it", () => {
    expect(parseWindow(`2026-03-01${" ".repeat(200_000)}2026-03-15`)).toBeTypeOf("string");
  });

  it.each(["2026-03-15/2026-03-01", "2026-03-15T10:00Z/2026-03-15T10:00Z", "2026-03-15", "soon/later", "/"])(
    "%s is none",
    (text) => expect(parseWindow(text)).toBeTypeOf("string"),
  );

  it("ends after it starts, or is none", () => {
    const date = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(date, date, (start, end) => {
        const window = parseWindow(`${start.toISOString()}/${end.toISOString()}`);
        expect(typeof window === "string" || window.end! > window.start!).toBe(true);
      }),
    );
  });
});

describe("words of feeds", () => {
  it.each([
    ["in stock", "in_stock"],
    ["In_Stock", "in_stock"],
    ["https://schema.org/InStock", "in_stock"],
    ["http://schema.org/PreOrder", "preorder"],
    ["pre_order", "preorder"],
    ["out-of-stock", "out_of_stock"],
    ["OutOfStock", "out_of_stock"],
    ["backordered", "backorder"],
    ["discontinued", "discontinued"],
    ["unknown", "unknown"],
    ["In stock!", "in_stock"],
    ["Y", "in_stock"],
    ["n", "out_of_stock"],
    ["OOS", "out_of_stock"],
    ["auf Lager", "in_stock"],
    ["Sofort lieferbar", "in_stock"],
    ["VORRATIG", "in_stock"],
    ["en stock", "in_stock"],
    ["En existencias", "in_stock"],
    ["disponibile", "in_stock"],
    ["Disponível", "in_stock"],
    ["op voorraad", "in_stock"],
    ["På lager", "in_stock"],
    ["i lager", "in_stock"],
    ["dostępny", "in_stock"],
    ["coming soon", "out_of_stock"],
    ["ausverkauft", "out_of_stock"],
    ["nicht verfügbar", "out_of_stock"],
    ["rupture de stock", "out_of_stock"],
    ["agotado", "out_of_stock"],
    ["non disponibile", "out_of_stock"],
    ["niet op voorraad", "out_of_stock"],
    ["udsolgt", "out_of_stock"],
    ["brak w magazynie", "out_of_stock"],
    ["vorbestellbar", "preorder"],
    ["pré-venda", "preorder"],
    ["sur commande", "backorder"],
    ["descatalogado", "discontinued"],
    ["not in stock today", undefined],
    ["perhaps", undefined],
    ["constructor", undefined],
  ])("availability %s is %s", (text, expected) => expect(availabilityOf(text)).toBe(expected));

  it.each([
    ["New", "new"],
    ["https://schema.org/NewCondition", "new"],
    ["RefurbishedCondition", "refurbished"],
    ["gebraucht", "used"],
    ["wie neu", "used"],
    ["d'occasion", "used"],
    ["Very good", "used"],
    ["Reconditionné", "refurbished"],
    ["nuovo", "new"],
    ["used_like_new", "used"],
    ["UsedVeryGood", "used"],
    ["Used - Very Good", "used"],
    ["gebraucht - gut", "used"],
    ["refurbished_excellent", "refurbished"],
    ["cpo", "refurbished"],
    ["D'occasion - Comme neuf", "used"],
    ["open_box_new", "used"],
    ["De segunda mano - Como nuevo", "used"],
    ["splendid", undefined],
  ])("condition %s is %s", (text, expected) => expect(conditionOf(text)).toBe(expected));

  it("a category is a path, a number, or both", () => {
    expect(pathOf("Home &gt; Garden > Gloves")).toEqual(["Home", "Garden", "Gloves"]);
    expect(googleCategory("469")).toEqual({ id: "469", path: ["Health & Beauty"] });
    expect(googleCategory("01604 ")).toEqual({ id: "1604", path: ["Apparel & Accessories", "Clothing"] });
    expect(googleCategory("99999999")).toEqual({ id: "99999999", path: ["99999999"] });
    expect(googleCategory("469 > Health & Beauty")).toEqual({ id: "469", path: ["Health & Beauty"] });
    expect(googleCategory("469 - Health & Beauty > Care")).toEqual({ id: "469", path: ["Health & Beauty", "Care"] });
    expect(googleCategory("3D Printers > Parts")).toEqual({ id: undefined, path: ["3D Printers", "Parts"] });
    expect(googleCategory("Apparel > 2 Pieces")).toEqual({ id: undefined, path: ["Apparel", "2 Pieces"] });
  });

  it("a category path is never longer than an index can hold", () => {
    const path = pathOf(Array.from({ length: 50 }, () => "語".repeat(300)).join(" > "));
    expect(Buffer.byteLength(path.join())).toBeLessThanOrEqual(2_100);
    expect(path.length).toBeGreaterThan(0);
  });
});

describe("text", () => {
  it("loses markup, and keeps what only looks like it", () => {
    expect(plain("<p>Warm &amp; <b>dry</b></p><ul><li>one</li><li>two</li></ul>")).toBe("Warm & dry\none\ntwo");
    expect(plain("&lt;b&gt;bold&lt;/b&gt;")).toBe("bold");
    expect(plain("<script>steal()</script>Hat<!-- hidden -->")).toBe("Hat");
    expect(plain("sizes <5 & >3, a<b")).toBe("sizes <5 & >3, a<b");
    expect(plain("caf&#233; &#x2603; &#0; &nosuch;")).toBe("café ☃ &nosuch;");
  });

  it.each([
    ["Caf&eacute; &uuml;ber Stra&szlig;e", "Café über Straße"],
    ["Acme&trade; Men&rsquo;s&nbsp;&ndash; &euro;5 &frac12;", "Acme™ Men’s – €5 ½"],
    ["Men&#146;s &#x80;5 &#150; 2", "Men’s €5 – 2"],
    ["Salt &Amp; Pepper &NBSP;&GT; CAF&Eacute;", "Salt & Pepper > CAFÉ"],
    ["one&#10;two&#13;&NewLine;three", "one\ntwo\nthree"],
    ["e&#x301;", "é"],
    ["&amp;eacute; &amp;amp;", "&eacute; &amp;"],
    ["?a=1&copy=2&notit; AT&T &eacute", "?a=1&copy=2&notit; AT&T &eacute"],
    ["T&#129;e&#0;n&#xD800;t&#1114112;s&#x202E;", "Tents"],
  ])("reads HTML's entities, once: %j is %j", (text, expected) => expect(plain(text)).toBe(expected));

  it("takes windows-1252's characters for what they were meant to be, where they came as controls", () => {
    expect(clean("Men\u0092s \u0080\u20095\u0081")).toBe("Men’s €\u20095");
  });

  it("takes no longer for thousands of ampersands", () => {
    expect(plain(`${"&a".repeat(300_000)};`)).toHaveLength(600_001);
  });

  it("takes no longer for thousands of tags that are never closed", () => {
    expect(plain("<a ".repeat(300_000))).toHaveLength(900_000 - 1);
  });

  it("keeps thirty marks of thousands on one letter, and takes no longer for them", () => {
    expect(clean(`a${"\u0301\u0316".repeat(300_000)}`)).toHaveLength(30);
    expect(plain(`a${"&#769;&#790;".repeat(300_000)}`)).toHaveLength(30);
  });

  it("never holds what PostgreSQL refuses", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const cleaned = clean(`${text}\u0000\ud800`);
        expect(cleaned).not.toContain("\u0000");
        expect(cleaned.isWellFormed()).toBe(true);
      }),
    );
  });

  it("is cut without halving a character", () => {
    expect(cut("ab😀", 3)).toBe("ab");
    expect(cut("ab😀", 4)).toBe("ab😀");
  });
});

describe("fold", () => {
  it.each([
    ["  Crème   BRÛLÉE ", "creme brulee"],
    ["İstanbul", "istanbul"],
    ["ﬁne ½", "fine 1⁄2"],
    ["عِطْر", "عطر"],
    ["Straße\u00a0Nº5", "strasse no5"],
    ["STRAẞE", "strasse"],
    ["KADIN Kadın", "kadin kadin"],
    ["KIĞILI Kiğılı", "kigili kigili"],
    ["Ørsted ǾRSTED Łódź Đồng", "orsted orsted lodz dong"],
    ["Æble Œuvre Þór Guðrún Ħamrun", "aeble oeuvre thor gudrun hamrun"],
    ["Wander\u00adruck\u00adsack", "wanderrucksack"],
    ["\u200fعطور\u200e", "عطور"],
    ["\u2067עטור\u2069 \u202aX\u202c", "עטור x"],
    ["Ta\u2060rn\ufeff", "tarn"],
    ["พัดลม\u200bไอเย็น", "พดลม ไอเยน"],
    ["می\u200cخواهم", "مي\u200cخواهم"],
  ])("%s is %s", (text, folded) => expect(fold(text)).toBe(folded));

  it("has words that nothing unseen tears apart", () => {
    expect(searchable("Wander\u00adruck\u00adsack\u200e 40 L")).toBe("wanderrucksack 40 l");
    expect(searchable("พัดลม\u200bไอเย็น")).toBe("พดลม ไอเยน");
  });

  it("is never many times as long as its text, whatever the character", () => {
    const longest = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
      .filter((character) => fold(character.repeat(10)).length > 80)
      .map((character) => character.charCodeAt(0).toString(16));
    expect(longest).toEqual([]);
    expect(fold("a\ufdfab")).toBe("a b");
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the title of variants together", () => {
  it("is there at once, however often a measure seems to begin", () => {
    const long = `Board ${"1 x".repeat(160)}!`;
    expect(shared([`${long} A`, `${long} B`])).toBe(long);
  });

  const shared = (titles: string[], brand: string | null = null) => {
    const sorted = titles.toSorted();
    const shortest = Math.min(...titles.map((title) => title.length));
    return sharedTitle({ least: sorted[0]!, greatest: sorted.at(-1)!, shortest, shown: titles[0]!, brand });
  };

  it.each([
    [["Trail Running Shoe - Red / 42", "Trail Running Shoe - Blue / 43"], "Trail Running Shoe"],
    [["Trail Running Shoe, Red", "Trail Running Shoe (Blue)"], "Trail Running Shoe, Red"],
    [["Soft Cotton Shirt (Red)", "Soft Cotton Shirt (Blue)"], "Soft Cotton Shirt"],
    [["Bedside Lamp", "Bedside Lamp XL"], "Bedside Lamp"],
    [["Lamp Red", "Lamp Blue"], "Lamp Red"],
    [["Alpha", "Beta"], "Alpha"],
    [["- Red", "- Blue"], "- Red"],
    [["Storm Tent Pegs - Pack of 6", "Storm Tent Pegs - Pack of 12"], "Storm Tent Pegs"],
    [["Merino Base Layer with Red", "Merino Base Layer with Blue"], "Merino Base Layer"],
    [["Weiche Decke aus Wolle für Große", "Weiche Decke aus Wolle für Kleine"], "Weiche Decke aus Wolle"],
    [["Light Trail Shoe, Size: 42", "Light Trail Shoe, Size: 43"], "Light Trail Shoe"],
    [["Tonic with Vitamin A 50 ml", "Tonic with Vitamin A 100 ml"], "Tonic with Vitamin A"],
    [["Rucksack & Rain Cover Set Red", "Rucksack & Rain Cover Set Blue"], "Rucksack & Rain Cover Set"],
    [["Tow Float - 15 L", "Tow Float - 28 L"], "Tow Float"],
    [["Fell Overshirt - Olive, S", "Fell Overshirt - Olive, M", "Fell Overshirt - Rust, S"], "Fell Overshirt"],
    [["Balaclava – Black", "Balaclava – Moss"], "Balaclava"],
    [["Mug (red enamel)", "Mug (blue enamel)"], "Mug"],
    [["Mug, red enamel", "Mug, blue enamel"], "Mug"],
    [["Mug: red enamel", "Mug: blue enamel"], "Mug"],
    [["Mug | red enamel", "Mug | blue enamel"], "Mug"],
    [["Mug - red enamel", "Mug (blue enamel)"], "Mug - red enamel"],
    [["T-Shirt Red Cotton", "T-Shirt Blue Cotton"], "T-Shirt Red Cotton"],
    [["501 - Black Denim", "501 - Blue Denim"], "501 - Black Denim"],
    [["X100 - Black Camera", "X100 - Silver Camera"], "X100 - Black Camera"],
    [["Hemp Runner - 65 x 140 cm", "Hemp Runner - 65 x 200 cm"], "Hemp Runner"],
    [["Wool Fitted Sheet 140 x 200", "Wool Fitted Sheet 140 x 220"], "Wool Fitted Sheet"],
    [["Oak Shelf - 40 cm x 60 x 10", "Oak Shelf - 40 cm x 60 x 20"], "Oak Shelf"],
    [["Errigal Men's Mountain Boot - EU 42", "Errigal Men's Mountain Boot - EU 43"], "Errigal Men's Mountain Boot"],
    [["Surf Wetsuit (Size UK 8)", "Surf Wetsuit (Size UK 10)"], "Surf Wetsuit"],
    [["Travel Plug Adapter - UK, Black", "Travel Plug Adapter - UK, White"], "Travel Plug Adapter - UK"],
    [['Jacke "Höhenzug" Grün M', 'Jacke "Höhenzug" Rot M'], 'Jacke "Höhenzug"'],
    [["Jacke „Höhenzug“ Grün M", "Jacke „Höhenzug“ Rot M"], "Jacke „Höhenzug“"],
    [['Smart TV 24" - Black', 'Smart TV 24" - White'], 'Smart TV 24"'],
    [["Kids' Tee - Black", "Kids' Tee - White"], "Kids' Tee"],
    [['Soft Cotton Shirt "Red"', 'Soft Cotton Shirt "Blue"'], "Soft Cotton Shirt"],
    [['Soft Cotton Shirt ( " Red', 'Soft Cotton Shirt ( " Blue'], "Soft Cotton Shirt"],
    [["Ski Pole Pair, Length: 110", "Ski Pole Pair, Length: 120"], "Ski Pole Pair"],
  ])("%j are %s", (titles, expected) => expect(shared(titles)).toBe(expected));

  it("is not their brand alone", () => {
    expect(shared(["Orrskar - Red Tent", "Orrskar - Blue Tent"], "Orrskar")).toBe("Orrskar - Red Tent");
  });

  it("is what every one of them begins with, or that of the offer shown", () => {
    const word = fc.constantFrom("red", "green", "shoe", "trail", "-", "(xl)", "é");
    const title = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(title, { minLength: 2, maxLength: 5 }), (titles) => {
        const found = shared(titles);
        expect(found === titles[0] || titles.every((one) => one.startsWith(found))).toBe(true);
      }),
    );
  });
});

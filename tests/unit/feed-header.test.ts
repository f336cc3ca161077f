import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attributes, columnsOf, isOpenAi, normalised } from "../../server/services/feeds/header";
import { headingsElsewhere } from "../../server/services/feeds/header-names";
import { rowOfNames } from "../../server/services/feeds/raw-row";

describe("the header of a feed", () => {
  it.each(["image_link", "Image Link", "IMAGE-LINK", "g:image_link", "G: Image_Link", "imageLink", " image__link "])(
    "%s is image_link",
    (name) => expect(normalised(name)).toBe("image_link"),
  );

  it.each([
    ["ID,Title,Description,Price,Sale_Price,Image,Availability,Brand,Category,URL", "image_link", 5],
    ["ID,Title,Description,Price,Sale_Price,Image,Availability,Brand,Category,URL", "product_type", 8],
    ["item_id,url,image_url,additional_image_urls,group_id", "item_group_id", 4],
    ["EAN,sku", "gtin", 0],
    ["EAN,sku", "id", 1],
  ] as const)("%s has %s in column %d", (header, attribute, index) =>
    expect(columnsOf(header.split(",")).get(attribute)?.[0]).toEqual([{ index }]),
  );

  it.each([
    ["Artikelnummer;Titel;Beschreibung;Produktlink;Bildlink;Verfügbarkeit;Preis;Zustand;Marke"],
    ["ARTIKEL-NR.;artikelname;Produktbeschreibung;Produkt-URL;bild_url;Verfuegbarkeit;Brutto-VK;zustand;Hersteller"],
    ["identifiant;titre;description;lien;lien_image;disponibilité;prix;état;marque"],
    ["Référence;Désignation;Description longue;URL produit;Image principale;disponibilite;Prix TTC;Etat;Fabricant"],
    ["identificador;título;descripción;enlace;enlace_imagen;disponibilidad;precio;estado;marca"],
    ["codice articolo;titolo;descrizione;link;link_immagine;disponibilità;prezzo;condizione;marca"],
    ["artikelcode;productnaam;omschrijving;productlink;afbeeldingslink;beschikbaarheid;prijs;staat;merk"],
  ])("may be in another language: %s", (header) => {
    const columns = columnsOf(header.split(";"));
    const found = [
      "id",
      "title",
      "description",
      "link",
      "image_link",
      "availability",
      "price",
      "condition",
      "brand",
    ] as const;
    expect(found.map((attribute) => columns.get(attribute)?.[0])).toEqual(found.map((_, index) => [{ index }]));
  });

  it("prefers English where it has both, and no attribute has a heading of another's own name", () => {
    expect(columnsOf(["Preis (EUR)", "price"]).get("price")).toEqual([[{ index: 1 }], [{ index: 0, currency: "EUR" }]]);
    const names = new Set<string>(attributes);
    const headings = headingsElsewhere.flatMap(([, list]) => list.map(normalised));
    expect(headings.filter((heading) => names.has(heading))).toEqual([]);
    expect(headings.filter((heading, i) => headings.indexOf(heading) !== i)).toEqual([]);
  });

  it("prefers an attribute's own name, wherever it stands", () => {
    expect(columnsOf(["sku", "item_id", "id"]).get("id")).toEqual([[{ index: 2 }], [{ index: 1 }], [{ index: 0 }]]);
    expect(columnsOf(["URL", "link"]).get("link")).toEqual([[{ index: 1 }], [{ index: 0 }]]);
  });

  it("prefers it in a row that names its fields, too", () => {
    const named = Object.entries({ sku: ["S"], item_id: ["I"], id: ["1"], title: ["T"], name: ["N"] });
    const { fields } = rowOfNames(1, new Map(named));
    expect(Object.fromEntries(fields)).toEqual({ sku: ["S"], id: ["1"], title: ["T"] });
    expect(rowOfNames(1, new Map(named.toReversed())).fields.get("id")).toEqual(["1"]);
  });

  it("takes what a thing costs now before what it costs on a list", () => {
    const named = { list_price: ["30 EUR"], regular_price: ["25 EUR"], current_price: ["20 EUR"] };
    expect(columnsOf(Object.keys(named)).get("price")?.[0]).toEqual([{ index: 2 }]);
    expect(rowOfNames(1, new Map(Object.entries(named))).fields.get("price")).toEqual(["20 EUR"]);
  });

  it("counts a repeated column each time, and reads Google's structured ones", () => {
    const columns = columnsOf(["shipping(country:price)", "additional_image_link", "additional image link"]);
    expect(columns.get("shipping")?.[0]).toEqual([{ index: 0, parts: ["country", "price"] }]);
    expect(columns.get("additional_image_link")?.[0]).toEqual([{ index: 1 }, { index: 2 }]);
  });

  it.each([
    ["Price (EUR)", "price", { currency: "EUR" }],
    ["sale_price(usd)", "sale_price", { currency: "usd" }],
    ["Price (€)", "price", { currency: "€" }],
    ["Shipping price (EUR)", "shipping", { currency: "EUR" }],
    ["Price (incl. VAT)", "price", {}],
    ["Title (EUR)", "title", {}],
    ["additional_image_link(1:2)", "additional_image_link", {}],
    ["priceCurrency", "currency", {}],
  ] as const)("%s is %s with %j", (header, attribute, more) =>
    expect(columnsOf([header]).get(attribute)?.[0]).toEqual([{ index: 0, ...more }]),
  );

  it("takes a price with its tax before one without, where it has both", () => {
    expect(columnsOf(["Price (tax excl.)", "Price (tax incl.)"]).get("price")?.[0]).toEqual([{ index: 1 }]);
    expect(columnsOf(["Price (netto)", "id"]).get("price")?.[0]).toEqual([{ index: 0 }]);
  });

  it("reads a structured column with a stray parenthesis, however many there are", () => {
    expect(columnsOf([`${"(".repeat(200_000)}`, "shipping((country:price)"]).get("shipping")?.[0]).toEqual([
      { index: 1, parts: ["country", "price"] },
    ]);
  });

  it("tells OpenAI's fields from Google's", () => {
    expect(isOpenAi(["id", "title", "Enable Search"])).toBe(true);
    expect(isOpenAi(["id", "title", "link"])).toBe(false);
  });

  it("knows each attribute in any case and with any separator", () => {
    const style = fc.constantFrom<(name: string) => string>(
      (name) => name.toUpperCase(),
      (name) => name.replaceAll("_", " "),
      (name) => name.replaceAll("_", "-"),
      (name) => `g:${name}`,
      (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
    fc.assert(
      fc.property(fc.constantFrom(...attributes), style, (attribute, write) => {
        expect(columnsOf([write(attribute)]).get(attribute)?.[0]).toEqual([{ index: 0 }]);
      }),
    );
  });
});

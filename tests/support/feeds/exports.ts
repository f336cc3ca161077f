// The product exports of shop systems, with all the columns that these write.

type Cells = Record<string, string>;

const shopifyColumns = `Handle|Title|Body (HTML)|Vendor|Product Category|Type|Tags|Published|Option1 Name|Option1 Value|Option1 Linked To
Option2 Name|Option2 Value|Option2 Linked To|Option3 Name|Option3 Value|Option3 Linked To|Variant SKU|Variant Grams
Variant Inventory Tracker|Variant Inventory Qty|Variant Inventory Policy|Variant Fulfillment Service|Variant Price|Variant Compare At Price
Variant Requires Shipping|Variant Taxable|Unit Price Total Measure|Unit Price Total Measure Unit|Unit Price Base Measure
Unit Price Base Measure Unit|Variant Barcode|Image Src|Image Position|Image Alt Text|Gift Card|SEO Title|SEO Description
Color (product.metafields.shopify.color-pattern)|Google Shopping / Google Product Category|Google Shopping / Gender
Google Shopping / Age Group|Google Shopping / MPN|Google Shopping / Condition|Google Shopping / Custom Product|Variant Image|Variant Weight Unit
Variant Tax Code|Cost per item|Included / Ireland|Included / International|Price / International|Compare At Price / International|Status`;

/** What those of the columns that were renamed are called now; two are new, and others gone. */
const renamed: Cells = {
  ...{ Handle: "URL handle", "Body (HTML)": "Description", "Product Category": "Product category" },
  ...{ Published: "Published on online store", "Option1 Name": "Option1 name", "Option1 Value": "Option1 value" },
  ...{ "Option2 Name": "Option2 name", "Option2 Value": "Option2 value" },
  ...{ "Option3 Name": "Option3 name", "Option3 Value": "Option3 value" },
  ...{ "Variant SKU": "SKU", "Variant Grams": "Weight value (grams)", "Variant Barcode": "Barcode" },
  ...{ "Variant Inventory Tracker": "Inventory tracker", "Variant Inventory Qty": "Inventory quantity" },
  ...{ "Variant Inventory Policy": "Continue selling when out of stock", "Variant Price": "Price" },
  ...{ "Variant Fulfillment Service": "Fulfillment service", "Variant Compare At Price": "Compare-at price" },
  ...{
    "Variant Requires Shipping": "Requires shipping",
    "Variant Taxable": "Charge tax",
    "Image Src": "Product image URL",
  },
  ...{ "Unit Price Total Measure": "Unit price total measure", "Unit Price Base Measure": "Unit price base measure" },
  "Unit Price Total Measure Unit": "Unit price total measure unit",
  "Unit Price Base Measure Unit": "Unit price base measure unit",
  ...{ "Image Position": "Image position", "Image Alt Text": "Image alt text", "Gift Card": "Gift card" },
  ...{ "SEO Title": "SEO title", "SEO Description": "SEO description", "Variant Image": "Variant image URL" },
  "Google Shopping / Google Product Category": "Google Shopping / Google product category",
  "Google Shopping / Age Group": "Google Shopping / Age group",
  "Google Shopping / MPN": "Google Shopping / Manufacturer part number (MPN)",
  ...{ "Variant Weight Unit": "Weight unit for display", "Variant Tax Code": "Tax code" },
};

const woocommerceColumns = `ID|Type|SKU|GTIN, UPC, EAN, or ISBN|Name|Published|Is featured?|Visibility in catalog|Short description|Description
Date sale price starts|Date sale price ends|Tax status|Tax class|In stock?|Stock|Low stock amount|Backorders allowed?|Sold individually?
Weight (kg)|Length (cm)|Width (cm)|Height (cm)|Allow customer reviews?|Purchase note|Sale price|Regular price|Categories|Tags
Shipping class|Images|Download limit|Download expiry days|Parent|Grouped products|Upsells|Cross-sells|External URL|Button text|Position|Brands
Attribute 1 name|Attribute 1 value(s)|Attribute 1 visible|Attribute 1 global|Attribute 2 name|Attribute 2 value(s)|Attribute 2 visible
Attribute 2 global|Attribute 1 default`;

const named = (columns: string): string[] => columns.split(/[|\n]/);

/** @param more columns that the merchant has added */
function table(columns: string[], rows: Cells[], more: string[]): string {
  const all = [...columns, ...more];
  for (const name of rows.flatMap(Object.keys))
    if (!all.includes(name)) throw new Error(`No column is called ${name}.`);
  const lines = [all, ...rows.map((row) => all.map((name) => row[name] ?? ""))];
  return lines.map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const shopify = (rows: Cells[], more: string[] = []): string => table(named(shopifyColumns), rows, more);

/** The same rows under the names that the columns have now. */
export const shopifyRenamed = (rows: Cells[]): string =>
  table(
    named(shopifyColumns).map((name) => renamed[name] ?? name),
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [renamed[name] ?? name, text]))),
    [],
  );

export const woocommerce = (rows: Cells[], more: string[] = []): string => table(named(woocommerceColumns), rows, more);

/** The columns of the export above as shops of other languages have them, those that theirs has; each list in the same order. */
const english = `ID|Type|SKU|GTIN, UPC, EAN, or ISBN|Name|Published|Is featured?|Visibility in catalog|Short description|Description
Date sale price starts|Date sale price ends|In stock?|Stock|Weight (kg)|Length (cm)|Width (cm)|Height (cm)|Sale price|Regular price|Categories
Tags|Images|Parent|External URL|Position|Brands|Attribute 1 name|Attribute 1 value(s)|Attribute 1 visible|Attribute 1 global`;
const translated = {
  German: `ID|Typ|Artikelnummer|GTIN, UPC, EAN oder ISBN|Name|Veröffentlicht|Ist hervorgehoben?|Sichtbarkeit im Katalog|Kurzbeschreibung
Beschreibung|Datum, an dem Angebotspreis beginnt|Datum, an dem Angebotspreis endet|Vorrätig?|Bestand|Gewicht (kg)|Länge (cm)|Breite (cm)
Höhe (cm)|Angebotspreis|Regulärer Preis|Kategorien|Schlagwörter|Bilder|Übergeordnetes Produkt|Externe URL|Position|Marken|Attribut 1 Name
Attribut 1 Wert(e)|Attribut 1 Sichtbar|Attribut 1 Global`,
  French: `ID|Type|UGS|GTIN, UPC, EAN ou ISBN|Nom|Publié|Mis en avant ?|Visibilité dans le catalogue|Description courte|Description
Date de début de promo|Date de fin de promo|En stock ?|Stock|Poids (kg)|Longueur (cm)|Largeur (cm)|Hauteur (cm)|Tarif promo|Tarif régulier
Catégories|Étiquettes|Images|Parent|URL externe|Position|Marques|Nom de l’attribut 1|Valeur(s) de l’attribut 1 |Attribut 1 visible
Attribut 1 global`,
  Spanish: `ID|Tipo|SKU|GTIN, UPC, EAN o ISBN|Nombre|Publicado|¿Está destacado?|Visibilidad en el catálogo|Descripción corta|Descripción
Día en que empieza el precio rebajado|Día en que termina el precio rebajado|¿Existencias?|Inventario|Peso (kg)|Longitud (cm)|Anchura (cm)
Altura (cm)|Precio rebajado|Precio normal|Categorías|Etiquetas|Imágenes|Superior|URL externa|Posición|Marcas|Nombre del atributo 1
Valor(es) del atributo 1|Atributo visible 1|Atributo global 1`,
  Italian: `ID|Tipo|COD|GTIN, UPC, EAN o ISBN|Nome|Pubblicato|In primo piano?|Visibilità nel catalogo|Breve descrizione|Descrizione
Data di partenza del prezzo in saldo|Data in cui termina l'offerta|In stock?|Magazzino|Peso (kg)|Lunghezza (cm)|Larghezza (cm)|Altezza (cm)
Prezzo in offerta|Prezzo di listino|Categorie|Etichette|Immagine|Genitore|URL esterna|Posizione|Marchi|Attributo 1 nome|Attributo 1 valuta(e)
Attributo 1 visibile|Attributo 1 globale`,
  Dutch: `ID|Type|Artikelnummer|GTIN, UPC, EAN of ISBN|Naam|Gepubliceerd|Uitgelicht?|Zichtbaarheid in catalogus|Korte beschrijving|Beschrijving
Startdatum actieprijs|Einddatum actieprijs|Op voorraad?|Voorraad|Gewicht (kg)|Lengte (cm)|Breedte (cm)|Hoogte (cm)|Actieprijs|Reguliere prijs
Categorieën|Tags|Afbeeldingen|Hoofd|Externe URL|Positie|Merken|Naam eigenschap 1|Waarde eigenschap 1|Zichtbare eigenschap 1
Globale eigenschap 1`,
  Polish: `Identyfikator|Typ|SKU|GTIN, UPC, EAN lub ISBN|Nazwa|Opublikowano|Wyróżniony produkt?|Widoczność w katalogu|Krótki opis|Opis
Data rozpoczęcia promocji|Data zakończenia promocji|W magazynie?|Stan magazynowy|Waga (kg)|Długość (cm)|Szerokość (cm)|Wysokość (cm)
Cena promocyjna|Cena|Kategorie|Tagi|Obrazki|Element nadrzędny|Zewnętrzny adres URL|Pozycja|Marki|Nazwa atrybutu 1|Wartości atrybutu 1
Atrybut 1 widoczny|Atrybut 1: globalny`,
};

export const languages = Object.keys(translated) as (keyof typeof translated)[];

/** @param rows by the English names */
export function woocommerceIn(language: keyof typeof translated, rows: Cells[]): string {
  const names = named(translated[language]);
  const own = new Map(named(english).map((name, i) => [name, names[i]!]));
  const renamed = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [own.get(name)!, text])),
  );
  return table(names, renamed, []);
}

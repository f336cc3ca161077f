// What WooCommerce's export calls its columns in shops of other languages: it translates their names, and nothing that stands under them.
// As translate.wordpress.org/projects/wp-plugins/woocommerce has them, and had them for earlier releases.

/** By the English name: German, French, Spanish, Italian, Dutch and Polish ones, where they differ from it. `#` is a number. */
const translations = {
  ID: "Identyfikator",
  Type: "Typ | Tipo",
  SKU: "Artikelnummer | UGS | COD",
  "GTIN, UPC, EAN, or ISBN": `GTIN, UPC, EAN oder ISBN | GTIN, UPC, EAN ou ISBN | GTIN, UPC, EAN o ISBN | GTIN, UPC, EAN of ISBN
    | GTIN, UPC, EAN lub ISBN`,
  Name: "Nom | Nombre | Nome | Naam | Nazwa",
  Published: "Veröffentlicht | Publié | Publicado | Pubblicato | Gepubliceerd | Opublikowano | Opublikowany",
  "Visibility in catalog": `Sichtbarkeit im Katalog | Visibilité dans le catalogue | Visibilidad en el catálogo | Visibilità nel catalogo
    | Zichtbaarheid in catalogus | Widoczność w katalogu`,
  "Short description": `Kurzbeschreibung | Description courte | Descripción corta | Breve descrizione | Korte beschrijving
    | Korte omschrijving | Krótki opis`,
  Description: "Beschreibung | Descripción | Descrizione | Beschrijving | Opis",
  "Date sale price starts": `Datum, an dem Angebotspreis beginnt | Date de début de promo | Día en que empieza el precio rebajado
    | Data di partenza del prezzo in saldo | Startdatum actieprijs | Data rozpoczęcia promocji`,
  "Date sale price ends": `Datum, an dem Angebotspreis endet | Date de fin de promo | Día en que termina el precio rebajado
    | Data in cui termina l'offerta | Termine data del prezzo di vendita | Einddatum actieprijs | Data zakończenia promocji`,
  "In stock?": "Vorrätig? | En stock ? | ¿Existencias? | ¿En inventario? | Op voorraad? | W magazynie? | Na stanie?",
  Stock: "Lager | Bestand | Lagerbestand | Inventario | Magazzino | Voorraad | Stan magazynowy",
  Weight: "Gewicht | Poids | Peso | Waga",
  Length: "Länge | Longueur | Longitud | Lunghezza | Lengte | Długość",
  Width: "Breite | Largeur | Anchura | Ancho | Larghezza | Breedte | Szerokość",
  Height: "Höhe | Hauteur | Altura | Altezza | Hoogte | Wysokość",
  "Sale price": "Angebotspreis | Tarif promo | Precio rebajado | Prezzo in offerta | Actieprijs | Cena promocyjna",
  "Regular price": `Regulärer Preis | Tarif régulier | Precio normal | Prezzo di listino | Reguliere prijs | Cena
    | Cena regularna`,
  Categories: "Kategorien | Catégories | Categorías | Categorie | Categorieën | Kategorie",
  Images: "Bilder | Imágenes | Immagine | Immagini | Afbeeldingen | Obrazki",
  Parent: "Übergeordnetes Produkt | Superior | Genitore | Hoofd | Element nadrzędny | Nadrzędny",
  Brands: "Marken | Marques | Marcas | Marchi | Merken | Marki",
  "Attribute # name": `Attribut # Name | Nom de l’attribut # | Nombre del atributo # | Attributo # nome | Naam eigenschap #
    | Nazwa atrybutu #`,
  "Attribute # value(s)": `Attribut # Wert(e) | Valeur(s) de l’attribut # | Valor(es) del atributo # | Attributo # valuta(e)
    | Waarde eigenschap # | Wartości atrybutu #`,
} as const;

/** Longer than any of its columns' names. */
const MAX_NAME = 100;

/** Words, and a `#` for a number: apostrophes, question marks and blanks are of several kinds. */
const wordsOf = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/\d+/g, "#")
    .replace(/[^\p{L}#]+/gu, " ")
    .trim();

const english = new Map<string, string>();
for (const [name, others] of Object.entries(translations))
  for (const other of others.split("|")) english.set(wordsOf(other), name);

/** A column's name in English, with what stands behind it in parentheses (`Gewicht (kg)`); others as they are. */
export function inEnglish(cell: string): string {
  if (cell.length > MAX_NAME) return cell;
  const unit = /\s(\([^()]*\))\s*$/.exec(cell);
  const name = english.get(wordsOf(unit ? cell.slice(0, unit.index) : cell));
  if (name === undefined) return cell;
  const whole = name.replace("#", /\d+/.exec(cell)?.[0] ?? "");
  return unit ? `${whole} ${unit[1]}` : whole;
}

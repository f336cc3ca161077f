// What columns are called in tables of other languages: as Google called its attributes there while it took them in any (answer/7052112 in German, French,
// Spanish, Italian and Dutch), and as shop systems and spreadsheets call them. XML and JSON have names, not headings: they are English.
import type { Attribute } from "./header";

/** German / French / Spanish / Italian / Dutch; of each language the best one first. */
const translations: Partial<Record<Attribute, string>> = {
  id: `Artikelnummer, Artikelnr, Artikel-Nr, Art-Nr, Artikel-ID, Produkt-ID, Produktnummer, Bestellnummer
    / identifiant, identifiant produit, référence, référence produit / identificador, id producto, referencia
    / identificativo, id prodotto, codice prodotto, codice articolo / artikelcode, productcode`,
  title: `Titel, Produkttitel, Artikelname, Produktname, Artikelbezeichnung, Produktbezeichnung, Bezeichnung
    / titre, nom du produit, nom produit, désignation, libellé / título, nombre del producto, nombre producto
    / titolo, nome prodotto, nome del prodotto / productnaam, artikelnaam`,
  description: `Beschreibung, Produktbeschreibung, Artikelbeschreibung, Langbeschreibung, Kurzbeschreibung
    / description du produit, description longue / descripción, descripción del producto / descrizione, descrizione prodotto
    / beschrijving, productbeschrijving, omschrijving`,
  link: `Produktlink, Artikellink, Produkt-URL, Artikel-URL, Link zum Produkt / lien, lien produit, URL produit
    / enlace, enlace producto, URL producto / link prodotto, URL prodotto / productlink`,
  image_link: `Bildlink, Bild-Link, Bild-URL, Hauptbild, Produktbild, Bild, Bild 1 / lien image, lien de l'image, URL image, image principale
    / enlace imagen, enlace de imagen, URL imagen, imagen / link immagine, URL immagine, immagine
    / afbeeldingslink, afbeelding link, afbeelding-URL, afbeelding`,
  additional_image_link: `zusätzlicher Bildlink, weitere Bilder / lien image supplémentaire, images supplémentaires
    / enlace imagen adicional, imágenes adicionales / link immagine aggiuntiva, immagini aggiuntive
    / extra afbeeldingslink, extra afbeeldingen`,
  availability: `Verfügbarkeit, Verfuegbarkeit / disponibilité / disponibilidad / disponibilità / beschikbaarheid`,
  availability_date: `Verfügbarkeitsdatum / date de disponibilité / fecha de disponibilidad / data di disponibilità
    / beschikbaarheidsdatum`,
  expiration_date: "Verfallsdatum / date d'expiration / fecha de vencimiento / data di scadenza / vervaldatum",
  price: `Preis, Verkaufspreis, Bruttopreis, Preis brutto, Brutto-VK, VK brutto / prix, prix TTC, prix de vente
    / precio, precio de venta / prezzo, prezzo di vendita / prijs, verkoopprijs`,
  regular_price:
    "Streichpreis, alter Preis / prix barré, ancien prix / precio anterior / prezzo precedente / oude prijs",
  currency: "Währung, Waehrung / devise / moneda / valuta",
  sale_price: `Sonderangebotspreis, Angebotspreis, Aktionspreis, Sonderpreis / prix soldé, prix promo, prix promotionnel
    / precio de oferta, precio oferta, precio rebajado / prezzo scontato / aanbiedingsprijs, actieprijs`,
  sale_price_effective_date: `Sonderangebotszeitraum / période de validité du prix soldé / fecha efectiva precio de oferta
    / data di validità del prezzo scontato`,
  unit_pricing_measure:
    "Maß für Grundpreis / mesure pour le prix unitaire / medida precio unitario / misura prezzo unità",
  unit_pricing_base_measure:
    "Einheitsmaß für Grundpreis / mesure de base pour le prix unitaire / medida base precio unitario",
  brand: "Marke, Hersteller, Herstellername / marque, fabricant / marca, fabricante / produttore / merk, fabrikant",
  gtin: `EAN-Code, GTIN/EAN, EAN/GTIN
    / code EAN, code-barres / código EAN, código de barras / codice EAN, codice a barre / EAN-nummer`,
  mpn: `Herstellernummer, Herstellerartikelnummer, Hersteller-Artikelnummer / référence fabricant / referencia del fabricante
    / codice produttore / fabrikantnummer`,
  condition: "Zustand / état / estado / condizione / staat, conditie",
  google_product_category: `Google Produktkategorie, Google Kategorie / catégorie de produits Google, catégorie Google
    / categoría en Google Product, categoría de producto de Google / categoria prodotto Google / Google-productcategorie`,
  product_type: `Produkttyp, Produktkategorie, Kategorie, Warengruppe / type de produit, catégorie
    / tipo de producto, categoría / tipo di prodotto, categoria / producttype, productcategorie, categorie`,
  item_group_id: `Artikelgruppe, Artikelgruppen-ID, Vaterartikel / identifiant groupe, identifiant du groupe d'articles
    / id grupo, id de grupo de artículos / id gruppo, id gruppo di articoli / artikelgroep-ID, productgroep-ID`,
  color: "Farbe / couleur / colore / kleur",
  size: "Größe, Groesse / taille / talla / taglia / maat",
  material: "matière, matériau / materiale / materiaal",
  pattern: "Muster / motif / estampado / motivo / patroon",
  age_group: "Altersgruppe / tranche d'âge / grupo de edad / fascia di età / leeftijdsgroep",
  gender: "Geschlecht / sexe / sexo / sesso / geslacht",
  energy_efficiency_class: `Energieeffizienzklasse / classe d'efficacité énergétique / clase de eficiencia energética
    / classe di efficienza energetica / energie-efficiëntieklasse`,
  shipping: `Versand, Versandkosten / livraison, frais de livraison, frais de port / envío, gastos de envío
    / spedizione, spese di spedizione / verzending, verzendkosten`,
  inventory_quantity:
    "Bestand, Lagerbestand / quantité, stock disponible / existencias / quantità, giacenza / voorraad",
  published: `aktiv, veröffentlicht, sichtbar / publié, actif / publicado, activo / pubblicato, attivo
    / gepubliceerd, actief`,
  product_weight: "Gewicht / poids / peso",
};

/** Headings in other languages, by attribute. */
export const headingsElsewhere = (Object.entries(translations) as [Attribute, string][]).map(
  ([attribute, list]) => [attribute, list.split(/\s*(?:,|\s\/)\s+/)] as const,
);

// The words that feeds use where Google's product data has a fixed set of values: Google's, OpenAI's, schema.org's and shop
// systems' own.
import type { products } from "../../../db/schema/catalog";
import { fold } from "../fold";

export type Availability = (typeof products.$inferSelect)["availability"];
export type Condition = (typeof products.$inferSelect)["condition"];

/** Each without its blanks. English, German, French, Spanish, Italian, Portuguese, Dutch, Danish and Norwegian, Swedish, Polish. */
const availabilities: Record<Availability | "unknown", string> = {
  in_stock: `instock available availablenow availablefororder limitedavailability limitedstock lowstock instoreonly onlineonly
    madetoorder readytoship yes y true 1 wahr vrai verdadero vero verdadeiro waar prawda
    auflager lagernd vorrätig lieferbar sofortlieferbar verfügbar sofortverfügbar versandfertig sofortversandfertig ja
    enstock disponible oui
    enexistencia enexistencias haystock si
    disponibile disponibili inmagazzino
    emestoque emstock disponível disponíveis sim
    opvoorraad voorradig leverbaar directleverbaar beschikbaar
    pålager tilgængelig tilgjengelig
    ilager finnsilager tillgänglig
    dostępny dostępna dostępne wmagazynie nastanie tak`,
  out_of_stock: `outofstock soldout unavailable notavailable notinstock currentlyunavailable temporarilyunavailable
    temporarilyoutofstock comingsoon availablesoon backsoon backinstocksoon reserved oos no n false 0 falsch faux falso onwaar fałsz
    ausverkauft vergriffen nichtauflager nichtlagernd nichtvorrätig nichtlieferbar nichtverfügbar derzeitnichtlieferbar
    derzeitnichtverfügbar zurzeitnichtlieferbar zurzeitnichtverfügbar momentannichtlieferbar momentannichtverfügbar
    demnächst demnächstverfügbar baldverfügbar bald nein
    rupturedestock enrupture enrupturedestock horsstock épuisé épuisée indisponible nondisponible bientôt bientôtdisponible non
    agotado agotada sinexistencias sinstock fueradestock nodisponible próximamente
    esaurito esaurita nondisponibile nondisponibili prossimamente inarrivo
    esgotado esgotada semestoque semstock foradeestoque indisponível embreve não
    uitverkocht nietopvoorraad nietvoorradig nietleverbaar nietbeschikbaar tijdelijkuitverkocht binnenkort
    binnenkortleverbaar binnenkortbeschikbaar nee
    udsolgt utsolgt ikkepålager nej nei
    slutsåld slutilager ejilager
    niedostępny niedostępna niedostępne brak brakwmagazynie wyprzedany wyprzedana wyprzedane wkrótce nie`,
  preorder: `preorder presale availableforpreorder
    vorbestellbar vorbestellung
    précommande enprécommande
    preventa enpreventa
    preordine inpreordine preordinabile prevendita inprevendita
    prévenda emprévenda
    inpreorder voorbestelling vooruitbestellen
    forudbestil forudbestilling forhåndsbestilling
    förbeställ förbeställning förhandsbokning
    przedsprzedaż wprzedsprzedaży`,
  backorder: `backorder backordered onbackorder inbackorder availableonbackorder
    nachbestellbar aufbestellung
    surcommande
    bajopedido porencargo
    suordinazione
    sobencomenda
    nabestelling opbestelling
    bestillingsvare
    beställningsvara
    nazamówienie`,
  discontinued: `discontinued nolongeravailable
    nichtmehrlieferbar nichtmehrverfügbar
    discontinué
    descatalogado descatalogada
    fuoricatalogo fuoriproduzione
    descontinuado descontinuada
    nietmeerleverbaar nietmeerbeschikbaar
    udgået utgått
    wycofany wycofana wycofane`,
  unknown: "unknown",
};
/** Grades, as `excellent` and `acceptable` are, are those of used things. */
const conditions: Record<Condition, string> = {
  new: "new brandnew neu neuware nouveau nouvelle neuf neuve nuevo nueva nuovo nuova novo nova nieuw ny nytt nowy nowa nowe",
  refurbished: `refurbished renewed reconditioned certifiedrefurbished manufacturerrefurbished sellerrefurbished cpo certifiedpreowned
    generalüberholt überholt aufbereitet reconditionné reconditionnée reacondicionado reacondicionada ricondizionato
    ricondizionata recondicionado recondicionada gereviseerd refurbishet renoverad odnowiony odnowiona odnowione`,
  used: `used secondhand preowned preloved likenew asnew openbox damaged excellent verygood good fair acceptable
    gebraucht gebrauchtware neuwertig wieneu occasion doccasion usado usada segundamano desegundamano seminuevo
    usato usata disecondamano seminovo gebruikt tweedehands zogoedalsnieuw brugt brukt begagnad begagnat
    używany używana używane`,
};

const genders = {
  male: `male m man men mens gentleman gentlemen gents boy boys masculine herr herren mann männer männlich junge jungen homme hommes
    masculin garçon garçons hombre hombres masculino uomo uomini maschile homem homens heer heren man mannen mannelijk
    herre herrer mand mænd menn herrar män męski męska męskie mężczyzna mężczyźni`,
  female: `female f w woman women womens lady ladies girl girls feminine dame damen frau frauen weiblich mädchen femme femmes féminin
    fille filles mujer mujeres femenino donna donne femminile mulher mulheres feminino dames vrouw vrouwen vrouwelijk
    kvinde kvinder kvinne kvinner dam damer kvinna kvinnor damski damska damskie kobieta kobiety`,
  unisex: `unisex unisexe menwomen menandwomen womenmen womenandmen malefemale femalemale mixte`,
};
/** Teenagers are adults, as Google has it (support.google.com/merchants/answer/6324463). */
const ageGroups = {
  newborn:
    "newborn newborns neugeboren neugeborene nouveauné reciénnacido neonato recémnascido pasgeboren nyfødt nyfödd noworodek",
  infant: "infant infants baby babies babys säugling bébé bébés bebé bebés bebê bebês niemowlę",
  toddler: "toddler toddlers kleinkind kleinkinder toutpetit toutpetits peuter peuters",
  kids: `kids kid child children childrens junior juniors kind kinder enfant enfants niño niños infantil bambino bambini criança
    crianças kinderen børn barn dziecko dzieci`,
  adult: `adult adults teen teens teenager teenagers erwachsen erwachsene erwachsener adulte adultes adulto adultos adulti
    volwassene volwassenen voksen voksne vuxen vuxna dorosły dorośli`,
};

/** The second of each line are spreadsheets'. */
const answers = {
  yes: `yes y true 1 ja oui si sim tak
    wahr vrai verdadero vero verdadeiro waar prawda`,
  no: `no n false 0 nein non não nee nej nei nie
    falsch faux falso onwaar fałsz`,
};

const lookup = <T extends string>(words: Record<T, string>): Map<string, T> =>
  new Map(
    Object.entries<string>(words).flatMap(([key, list]) =>
      fold(list)
        .split(" ")
        .map((word) => [word, key as T]),
    ),
  );
const availabilityWords = lookup(availabilities);
const conditionWords = lookup(conditions);
const genderWords = lookup(genders);
const ageGroupWords = lookup(ageGroups);
const answerWords = lookup(answers);

/** `in stock`, `In-Stock!` and `https://schema.org/InStock` are one word, with accents or without. */
const word = (text: string): string => fold(text.replace(/^.*schema\.org\//i, "")).replace(/[^\p{L}\p{N}]/gu, "");

/** `unknown` where the feed says that it does not know; undefined where nobody knows the word. */
export const availabilityOf = (text: string): Availability | "unknown" | undefined => availabilityWords.get(word(text));
/** What Magento calls `product_type`: how a product is made up, which is no category. A bundle may be one. BigCommerce has P or D, for a download. */
export const isKind = (text: string): boolean =>
  /^\s*(?:simple|configurable|virtual|downloadable|grouped|p|d)\s*$/i.test(text);
/** With a grade behind it: Meta's `used_like_new`, Amazon's `UsedVeryGood`, `refurbished_excellent`. */
const graded: [RegExp, Condition][] = [
  [
    /^(refurbished|renewed|reconditioned|certifiedrefurbished|reconditionne|reacondicionad|ricondizionat|recondicionad)/,
    "refurbished",
  ],
  [/^(used|preowned|secondhand|openbox|gebraucht|d?occasion|usad|usat|gebruikt|(de)?segundamano)/, "used"],
];

/** Undefined where nobody knows the word. */
export function conditionOf(text: string): Condition | undefined {
  const said = word(text).replace(/condition$/, "");
  return conditionWords.get(said) ?? graded.find(([beginning]) => beginning.test(said))?.[1];
}
export const saysYes = (text: string): boolean => answerWords.get(word(text)) === "yes";
export const saysNo = (text: string): boolean => answerWords.get(word(text)) === "no";
export const genderOf = (text: string): string | undefined => genderWords.get(word(text));
export const ageGroupOf = (text: string): string | undefined => ageGroupWords.get(word(text));

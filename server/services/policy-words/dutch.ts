import type { Lexicon } from "./lexicon";

export const dutch: Lexicon = {
  language: "nl",
  places: "usa|vs|amerika|engeland|schotland",
  words: {
    return:
      "retour*|retourner*|terugstur*|teruggestuurd|terugbreng*|terugzend*|stuur .. terug|sturen .. terug|terug .. sturen|terug .. brengen|breng .. terug|herroep*|bedacht|bevalt niet|past niet",
    refund: "terugbetal*|terugbetaald|terugbetaling*|restitutie|geld|bedrag|geld terug",
    exchange: "ruil*|ruilen|omruil*|omgeruild|andere maat|andere kleur|verkeerde maat|te klein|te groot|te strak",
    delivery:
      "bezorg*|bezorging|verzend*|verzonden|verzending*|leveren|geleverd|levert|levering*|pakket*|~ontvang*|verstur*|verstuurd|aankom*",
    abroad: "buitenland*|internationa*|andere landen|ander land|landen|wereldwijd|buiten nederland|europa|eu",
    destination:
      "buitenland*|landen|leveren|verzenden|buiten|leveren jullie in|leveren jullie naar|verzenden jullie naar|bezorgen jullie in|sturen jullie naar|verzenden .. naar",
    customs: "douan*|btw|invoer*|belasting*",
    time: "hoe lang|hoelang|hoe snel|~wanneer|levertijd*|duurt|dagen|werkdagen|snel",
    period: "dagen|weken|binnen|hoeveel dagen|hoe lang heb ik|bedenktijd*|termijn*|retourtermijn",
    cost: "hoeveel kost*|~hoeveel|kost|kosten|verzendkosten*|bezorgkosten|prij*|tarie*|gratis|duur",
    tracking:
      "volgen|track|=trace|waar .. bestelling|waar .. pakket|waar blijft|niet aangekomen|niet ontvangen|kwijt|vertra*|vertraging",
    payment: "betaal*|betal*|betaling*|betaalmethode*|creditcard*|=ideal|bancontact|contant|pinnen|overboek*",
    charge: "afgeschreven|afschrij*|wanneer .. afgeschreven",
    instalments: "termijnen|in termijnen|achteraf|achteraf betalen|gespreid*|klarna|in delen",
    damage:
      "beschadig*|kapot*|defect*|stuk|gebroken|gescheurd|lek|werkt niet|doet het niet|verkeerd artikel|verkeerde artikel|verkeerd geleverd",
    warranty: "garantie*",
    repair: "reparat*|reparer*|herstel*|reserveonderde*",
    privacy: "privacy*|gegevens|persoonlijk*|persoonsgegevens|=avg|cookies",
    erasure: "verwijder*|wissen|account .. verwijderen",
    sharing: "delen .. gegevens|delen .. derden|derden|verkopen jullie mijn|verkoopt .. mijn|adverteerders",
    newsletter: "nieuwsbrief|nieuwsbrieven|afmeld*|uitschrij*|reclame",
    change: "annuleer*|annuler*|wijzig*|bestelling .. aanpassen|adres .. wijzigen|aanpassen",
    gift: "cadeau*|cadeaubon*|cadeaukaart*|inpakken",
    discount: "korting*|kortingscode*|actiecode|aanbieding*",
    student: "student*|studenten*",
    priceMatch: "goedkoper|laagste prijs",
    hours: "openingstijd*|openingsuren|geopend|zijn jullie open|hoe laat .. open|hoe laat .. dicht|wanneer .. open",
    visit: "winkel*|langskomen|vestiging*|showroom",
    collect: "ophal*|ophalen|afhal*|afhalen|zelf ophalen|haal .. op",
    contact: "contact*|klantenservice|bellen|bereik*|telefo*|mailen|email|klacht*|spreken",
    size: "maat|maten|maattabel*|pasvorm|valt .. uit",
    care: "wass*|wassen|reinig*|onderhoud*|schoonmak*|droger",
    environment: "duurza*|milieu*|recycl*|verpakking*|klimaatneutra*",
    restock: "uitverkocht|weer op voorraad|weer leverbaar|op voorraad",
    preorder: "voorbestell*|vooruitbestel*|reserver*",
    loyalty: "punten|spaarpunten|spaarprogramma|klantenkaart*|beloning*|=lid",
    account: "account|wachtwoord*|inloggen|registrer*|als gast|zonder account",
    hire: "huur*|huren|verhuur*|lenen",
    secondHand: "tweedehands|gebruikte|inruil*|inruilen",
    trade: "groothandel*|zakelijk*|bedrijven",
    security: "veilig*|veiligheid|fraude|oplicht*|betrouwba*",
    receipt: "factuur|facturen|aankoopbewijs|kassabon*|bonnetje",
    worn: "gedragen|ongedragen|gebruikt|ongebruikt|=labels|originele verpakking",
  },
  chatter:
    "de het een ik je jij u hij zij ze we wij jullie mij me mijn jouw uw ons onze hun zijn is ben bent was heb heeft hebben had kan kunnen kunt mag mogen moet moeten wil willen zou wordt worden word en of maar als dat die dit deze er van voor met zonder aan op in uit bij naar om te tot over onder door tegen niet geen wel nog ook al dan wat wie hoe waar welke welk hallo hoi bedankt dank alsjeblieft graag iets ding dingen artikel artikelen product producten bestelling bestellingen bestellen besteld bestel gekocht kopen koop doen doe doet krijg krijgen ga gaat na",
};

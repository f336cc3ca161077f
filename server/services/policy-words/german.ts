import type { Lexicon } from "./lexicon";

export const german: Lexicon = {
  language: "de",
  places: "usa|amerika|großbritannien|england|schottland|holland",
  words: {
    return:
      "zurückgeb*|zurückgegeben|zurückgab*|rückgab*|zurückschick*|zurückgeschickt|zurücksend*|zurückgesendet|rücksend*|retour*|zurück|widerruf*|gefällt .. nicht|passt .. nicht|passen .. nicht|doch nicht",
    refund: "erstatt*|rückerstatt*|gutschrift*|geld|betrag|geld zurück",
    returnCost:
      "rückporto|rücksendekosten|rückversand*|rückgabe .. kostenlos|rücksendung* .. kostenlos|retoure* .. kostenlos|kostenlos* retoure*|kostenlos* rücksend*|kostenlos* .. zurück*|kosten .. rücksend*|kosten .. rückversand*|kosten .. retour*",
    exchange:
      "umtausch*|umgetauscht|tausch*|austausch*|andere größe|andere farbe|falsche größe|zu klein|zu groß|zu eng|passt .. nicht",
    delivery:
      "liefer*|lieferung*|versand*|versend*|versendet|verschick*|zustell*|paket*|sendung*|porto|ankomm*|kommt .. an|schicken|schickt",
    abroad: "ausland*|international*|weltweit*|=land|länder*|ausserhalb|außerhalb|europa|eu",
    destination:
      "ausland*|länder*|liefern|liefert|versendet|außerhalb|liefert ihr nach|liefern sie nach|versendet ihr nach|schickt ihr nach|liefern .. nach|liefert .. nach",
    customs: "zoll*|mehrwertsteuer*|mwst|steuer*|einfuhr*|abgaben",
    time: "wie lange|wie schnell|~wann|dauer*|lieferzeit*|werktag*|tage|tagen|schnell",
    period: "tage|tagen|innerhalb|wochen|wie lange .. zeit|wie lange kann ich|frist*|rückgabefrist*|wie viele tage",
    deliveryCost: "versandkosten*|lieferkosten*",
    cost: "wie viel|~wieviel|kostet|kosten|versandkosten*|lieferkosten*|preis*|gebühr*|kostenlos*|kostenfrei*|gratis|umsonst|teuer",
    tracking:
      "sendungsverfolg*|verfolg*|wo .. bestellung|wo .. paket|wo bleibt|nicht angekommen|nicht erhalten|noch nicht da|verloren*|verspät*|sendungsnummer*",
    payment:
      "zahl*|bezahl*|zahlung*|zahlungsart*|kreditkart*|karte|karten|überweis*|lastschrift*|vorkasse|nachnahme|=bar|=paypal",
    charge: "abgebucht|abbuch*|belastet|wann .. karte .. belastet",
    instalments: "raten|ratenzahl*|ratenkauf|später bezahlen|später zahlen|auf rechnung|klarna|finanzier*",
    damage:
      "kaputt*|beschädig*|defekt*|schaden|schäden|mangel|mängel|mangelhaft*|fehlerhaft*|gerissen|zerbrochen|undicht|funktioniert nicht|geht nicht|falscher artikel|falschen artikel|falsch geliefert",
    warranty: "garantie*|gewährleist*",
    repair: "repar*|reparatur*|flick*|ersatzteil*",
    privacy: "datenschutz*|daten|personenbezogen*|privatsphär*|dsgvo|cookies",
    erasure: "lösch*|gelöscht|konto .. löschen|vergessen werden",
    sharing: "weitergeb*|weitergegeben|weitergab*|dritte|verkauft ihr meine|verkaufen sie meine|werbepartner*",
    newsletter: "newsletter|abmeld*|abbestell*|werbung|werbemails",
    change: "stornier*|storno*|ändern|änderung*|abbrech*|bestellung .. ändern|adresse .. ändern",
    gift: "geschenk*",
    giftCard: "gutschein*|geschenkgutschein*|geschenkkarte*",
    giftWrap: "geschenkverpack*|geschenkpapier|verpackt als|geschenk .. verpack*|geschenk .. einpack*",
    discount: "rabatt*|angebote",
    code: "rabattcode*|gutscheincode*|aktionscode*",
    student: "student*|studierend*",
    priceMatch: "bestpreis*|preisgarantie|billiger",
    hours:
      "öffnungszeit*|geöffnet|ladenzeiten|wann .. offen|~offen|wann macht .. zu|wann machen .. zu|wann macht .. auf|wann machen .. auf|wann schließ*",
    visit: "ladengeschäft*|laden|geschäft|filiale*|vor ort|besuch*",
    collect: "abhol*|abgeholt|selbst abholen|selbstabhol*|=click",
    contact:
      "kontakt*|kundenservice|kundendienst|erreich*|anruf*|telefon*|telefonisch|hotline|email|e mail|beschwer*|ansprechpartner*|sprechen",
    size: "größe*|grösse*|größentabelle*|passform*|maße|massangaben|fällt .. aus|fallen .. aus",
    care: "wasch*|waschen|reinig*|pflege*|imprägnier*|trockner",
    environment: "nachhaltig*|umwelt*|recyc*|recycling|verpackung*|klimaneutral*|co2",
    restock: "ausverkauft|wieder verfügbar|nicht auf lager|nachliefer*|vorrätig",
    preorder: "vorbestell*",
    loyalty: "punkte|treuepunkte|treueprogramm*|bonuspunkte|kundenkarte*|prämie*|mitglied*",
    account: "kundenkonto*|konto|benutzerkonto|passwort*|anmelden|registrier*|gastbestellung*|ohne konto|einloggen",
    hire: "miet*|verleih*|ausleih*|leihen",
    secondHand: "gebraucht*|ankauf*|in zahlung|secondhand",
    trade: "großhandel*|firmenkund*|gewerblich*|großbestell*",
    security: "sicher|sicherheit*|verschlüssel*|betrug*|seriös",
    receipt: "rechnung*|kaufbeleg*|kassenbon*|beleg|quittung*",
    worn: "getragen*|ungetragen*|benutzt|unbenutzt*|originalverpack*|etikett*",
  },
  chatter:
    "der die das den dem des ein eine einen einem einer ich du er sie es wir ihr mir mich mein meine meinen meinem meiner dein eure euer ihre ihren uns euch sich ist sind war habe hab haben hat hatte bin wird werden wurde kann können könnt könnte darf muss soll möchte will wollen würde und oder aber wenn ob dass als auf aus bei bis für mit nach von vom vor zu zum zur im in am an um über unter durch gegen ohne noch nur auch schon mal denn doch nicht kein keine was wer wie wo welche welcher welches welchen gibt es bitte hallo danke machen macht mache gekauft kaufen kaufe bestellt bestellen bestelle bestellung bestellungen artikel produkt produkte ware sachen etwas jetzt dann hier da so man jemand geht bekomme bekommen erhalte",
};

// Shoppers ask in their own language, and agents often in English, whatever the store is written in.
import { beforeAll, describe, expect, it } from "vitest";
import * as policies from "../../server/services/policies";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";

const database = testDatabase();

type Topic =
  | "returns"
  | "refund"
  | "cost"
  | "time"
  | "abroad"
  | "payment"
  | "warranty"
  | "privacy"
  | "size"
  | "contact";
const typeOf: Record<Topic, (typeof policies.policyTypes)[number]> = {
  returns: "returns",
  refund: "returns",
  cost: "shipping",
  time: "shipping",
  abroad: "shipping",
  payment: "payment",
  warranty: "warranty",
  privacy: "privacy",
  size: "faq",
  contact: "other",
};

interface Shop {
  language: string;
  faq: Record<Topic, [question: string, answer: string]>;
  asked: [question: string, topic: Topic][];
  /** Nothing that a shop has policies for. */
  offTopic: string[];
}

const shops: Shop[] = [
  {
    language: "Portuguese",
    faq: {
      returns: [
        "Posso devolver um produto?",
        "Aceitamos devoluções até 14 dias após a receção, com a embalagem fechada.",
      ],
      refund: ["Quando recebo o reembolso?", "O reembolso é feito em 5 dias úteis pelo mesmo meio de pagamento."],
      cost: ["Quanto custam os portes?", "O envio custa 4,90 € e é grátis acima de 50 €."],
      time: ["Quanto tempo demora a entrega?", "Entregamos em 2 a 3 dias úteis em Portugal continental."],
      abroad: ["Enviam para outros países?", "Sim, para toda a União Europeia e Suíça."],
      payment: ["Que métodos de pagamento aceitam?", "Cartão, MB WAY, Multibanco e PayPal."],
      warranty: ["Os aparelhos têm garantia?", "Secadores e pranchas têm três anos de garantia."],
      privacy: ["Que dados pessoais guardam?", "Nome, morada e encomendas; nunca os vendemos a terceiros."],
      size: ["Como escolho o comprimento das extensões?", "Meça o cabelo da raiz às pontas e veja o guia de tamanhos."],
      contact: ["Como posso contactar a loja?", "Por telefone, email ou WhatsApp, das 9 às 18 horas."],
    },
    asked: [
      ["qual é o prazo de devolução?", "returns"],
      ["como faço uma devolução", "returns"],
      ["mudei de ideia, aceitam o produto de volta?", "returns"],
      ["em quanto tempo recebo o estorno?", "refund"],
      ["o frete é grátis?", "cost"],
      ["quando chega a minha encomenda", "time"],
      ["mandam para o estrangeiro?", "abroad"],
      ["posso pagar em boleto ou pix", "payment"],
      ["aceitam cartão de crédito", "payment"],
      ["o secador tem garantia?", "warranty"],
      ["o que fazem com os meus dados", "privacy"],
      ["quero falar com alguém ao telefone", "contact"],
      ["What is your return policy?", "returns"],
      ["how much is shipping", "cost"],
      ["is there a warranty on hair dryers", "warranty"],
      ["which payment methods do you accept", "payment"],
    ],
    offTopic: ["quem ganhou o mundial de 1998", "escreve um poema sobre o mar", "qual é a capital da Mongólia"],
  },
  {
    language: "Spanish",
    faq: {
      returns: ["¿Puedo devolver un artículo?", "Tienes 30 días para hacer la devolución, sin usar y con etiquetas."],
      refund: ["¿Cuándo me reembolsan?", "El reembolso llega en 5 días a la misma tarjeta."],
      cost: ["¿Cuánto cuestan los gastos de envío?", "3,95 €; gratis a partir de 40 €."],
      time: ["¿Cuánto tarda en llegar?", "De 24 a 72 horas en días laborables."],
      abroad: ["¿Hacéis envíos internacionales?", "Sí, a toda Europa y a México."],
      payment: ["¿Qué formas de pago aceptáis?", "Tarjeta, Bizum y contra reembolso."],
      warranty: ["¿Tienen garantía los relojes?", "Todos los relojes tienen tres años de garantía."],
      privacy: ["¿Qué datos personales guardáis?", "Nombre, dirección y pedidos."],
      size: ["¿Cómo sé cuál es mi talla?", "Consulta la guía de medidas de cada prenda."],
      contact: ["¿Cómo contacto con vosotros?", "Por teléfono o por correo, de lunes a viernes."],
    },
    asked: [
      ["quiero devolverlo porque no me gusta", "returns"],
      ["¿cuál es el plazo de devolución?", "returns"],
      ["cuántos días tengo para cambiarlo o devolverlo", "returns"],
      ["cuando me devuelven el dinero", "refund"],
      ["el envío es gratuito?", "cost"],
      ["en cuántos días llega el paquete", "time"],
      ["envían a otros países", "abroad"],
      ["se puede pagar con tarjeta", "payment"],
      ["el reloj tiene garantia", "warranty"],
      ["venden mis datos?", "privacy"],
      ["qué talla pido", "size"],
      ["necesito hablar con atención al cliente", "contact"],
      ["can I send it back", "returns"],
      ["do you ship abroad", "abroad"],
    ],
    offTopic: ["quién ganó el mundial de 1998", "cuál es la capital de Mongolia", "escribe un poema sobre el mar"],
  },
  {
    language: "German",
    faq: {
      returns: ["Kann ich einen Artikel zurückgeben?", "Sie haben 30 Tage Zeit für die Rückgabe ungetragener Ware."],
      refund: ["Wann bekomme ich mein Geld zurück?", "Wir erstatten den Betrag innerhalb von 5 Werktagen."],
      cost: ["Was kostet der Versand?", "4,90 €, ab 60 € kostenlos."],
      time: ["Wie lange dauert die Lieferung?", "Zwei bis drei Werktage innerhalb Deutschlands."],
      abroad: ["Liefern Sie ins Ausland?", "Ja, nach Österreich und in die Schweiz."],
      payment: ["Welche Zahlungsarten gibt es?", "Kreditkarte, Lastschrift, Rechnung und PayPal."],
      warranty: ["Wie lange gilt die Garantie?", "Zelte haben fünf Jahre Garantie."],
      privacy: ["Welche Daten speichern Sie?", "Name, Anschrift und Bestellungen, siehe Datenschutzerklärung."],
      size: ["Wie finde ich die richtige Größe?", "Die Größentabelle steht bei jedem Artikel."],
      contact: ["Wie erreiche ich den Kundenservice?", "Per Telefon oder E-Mail, montags bis freitags."],
    },
    asked: [
      ["Wie lange kann ich etwas zurückgeben?", "returns"],
      ["wie lange kann ich sachen zurückschicken", "returns"],
      ["Ich möchte die Jacke retournieren, sie passt mir nicht", "returns"],
      ["wann wird mir der betrag erstattet", "refund"],
      ["sind die versandkosten kostenlos?", "cost"],
      ["wann kommt mein paket an", "time"],
      ["verschickt ihr auch in die Schweiz?", "abroad"],
      ["kann ich auf Rechnung bezahlen", "payment"],
      ["Habe ich auf ein Zelt Garantie?", "warranty"],
      ["was macht ihr mit meinen Daten", "privacy"],
      ["welche grösse brauche ich", "size"],
      ["kann man bei euch anrufen", "contact"],
      ["how do I return something", "returns"],
      ["do you deliver to Switzerland", "abroad"],
    ],
    offTopic: [
      "wer hat die WM 1998 gewonnen",
      "schreib mir ein Gedicht über das Meer",
      "was ist die Hauptstadt der Mongolei",
    ],
  },
  {
    language: "French",
    faq: {
      returns: ["Puis-je retourner un article ?", "Vous avez 30 jours pour nous le renvoyer, non porté."],
      refund: ["Quand serai-je remboursé ?", "Le remboursement est fait sous 5 jours ouvrés."],
      cost: ["Combien coûte la livraison ?", "4,90 €, offerte dès 60 € d'achat."],
      time: ["Quels sont les délais de livraison ?", "Votre colis arrive en deux à trois jours."],
      abroad: ["Livrez-vous à l'étranger ?", "Oui, en Belgique, en Suisse et au Luxembourg."],
      payment: ["Quels moyens de paiement acceptez-vous ?", "Carte bancaire, virement et PayPal."],
      warranty: ["Les montres sont-elles garanties ?", "La garantie est de deux ans."],
      privacy: ["Que faites-vous de mes données ?", "Nous gardons votre nom, votre adresse et vos commandes."],
      size: ["Comment choisir ma taille ?", "Un guide des tailles accompagne chaque article."],
      contact: ["Comment contacter le service client ?", "Par téléphone ou par mail, du lundi au vendredi."],
    },
    asked: [
      ["je voudrais renvoyer une veste", "returns"],
      ["quel est le délai de retour ?", "returns"],
      ["combien de jours ai-je pour faire un retour", "returns"],
      ["quand est-ce que je récupère mon argent", "refund"],
      ["les frais de port sont-ils gratuits", "cost"],
      ["en combien de temps arrive ma commande", "time"],
      ["expédiez-vous dans d'autres pays", "abroad"],
      ["est-ce que je peux payer par carte", "payment"],
      ["la montre a-t-elle une garantie", "warranty"],
      ["vendez-vous mes données", "privacy"],
      ["quelle taille dois-je prendre", "size"],
      ["je veux joindre quelqu'un par téléphone", "contact"],
      ["how long does delivery take", "time"],
      ["what about my personal data", "privacy"],
    ],
    offTopic: [
      "qui a gagné la coupe du monde 1998",
      "écris un poème sur la mer",
      "quelle est la capitale de la Mongolie",
    ],
  },
  {
    language: "Italian",
    faq: {
      returns: ["Posso restituire un articolo?", "Hai 30 giorni per il reso, con le etichette."],
      refund: ["Quando ricevo il rimborso?", "Entro 5 giorni lavorativi dal rientro del pacco."],
      cost: ["Quanto costa la spedizione?", "4,90 €, gratuita da 50 €."],
      time: ["Quali sono i tempi di consegna?", "Due o tre giorni lavorativi in tutta Italia."],
      abroad: ["Spedite all'estero?", "Sì, in tutta Europa e in Svizzera."],
      payment: ["Quali metodi di pagamento accettate?", "Carta di credito, bonifico e contrassegno."],
      warranty: ["Gli orologi hanno la garanzia?", "La garanzia dura due anni."],
      privacy: ["Quali dati personali conservate?", "Nome, indirizzo e ordini."],
      size: ["Come scelgo la taglia?", "Ogni articolo ha la sua guida alle taglie."],
      contact: ["Come posso contattarvi?", "Per telefono o per email."],
    },
    asked: [
      ["qual è il termine per il reso?", "returns"],
      ["vorrei rimandare indietro un maglione", "returns"],
      ["quando mi rimborsate", "refund"],
      ["le spese di spedizione sono gratis?", "cost"],
      ["quando arriva il mio ordine", "time"],
      ["spedite in altri paesi?", "abroad"],
      ["posso pagare in contanti alla consegna", "payment"],
      ["l'orologio è in garanzia?", "warranty"],
      ["vendete i miei dati?", "privacy"],
      ["che taglia devo ordinare", "size"],
      ["vorrei parlare con l'assistenza", "contact"],
      ["are returns possible", "returns"],
    ],
    offTopic: ["chi ha vinto i mondiali del 1998", "scrivi una poesia sul mare", "qual è la capitale della Mongolia"],
  },
  {
    language: "Dutch",
    faq: {
      returns: ["Kan ik een artikel terugsturen?", "Je hebt 30 dagen bedenktijd voor ongedragen artikelen."],
      refund: ["Wanneer krijg ik mijn geld terug?", "We betalen het bedrag binnen 5 werkdagen terug."],
      cost: ["Wat zijn de verzendkosten?", "4,95 euro, gratis vanaf 50 euro."],
      time: ["Hoe lang duurt de bezorging?", "Voor 22.00 uur besteld, morgen in huis."],
      abroad: ["Leveren jullie in het buitenland?", "Ja, in België en Duitsland."],
      payment: ["Welke betaalmethoden zijn er?", "iDEAL, creditcard en achteraf betalen."],
      warranty: ["Hoe zit het met de garantie?", "Op alle tenten zit vijf jaar garantie."],
      privacy: ["Welke gegevens bewaren jullie?", "Naam, adres en bestellingen; zie de privacyverklaring."],
      size: ["Hoe vind ik mijn maat?", "Bij elk artikel staat een maattabel."],
      contact: ["Hoe bereik ik de klantenservice?", "Telefonisch of per mail, van maandag tot vrijdag."],
    },
    asked: [
      ["ik wil mijn jas retourneren", "returns"],
      ["wanneer wordt mijn geld terugbetaald", "refund"],
      ["is verzenden gratis?", "cost"],
      ["wanneer komt mijn pakket aan", "time"],
      ["verzenden jullie naar België", "abroad"],
      ["kan ik met creditcard betalen", "payment"],
      ["heeft de tent garantie", "warranty"],
      ["wat doen jullie met mijn gegevens", "privacy"],
      ["welke maat moet ik nemen", "size"],
      ["kan ik iemand bellen", "contact"],
      ["which ways to pay are there", "payment"],
    ],
    offTopic: ["wie won het WK van 1998", "schrijf een gedicht over de zee", "wat is de hoofdstad van Mongolië"],
  },
  {
    language: "Arabic",
    faq: {
      returns: ["هل يمكنني إرجاع المنتج؟", "يمكن إرجاع المنتجات خلال ١٤ يوماً من الاستلام بعبوتها الأصلية."],
      refund: ["متى يتم استرداد المبلغ؟", "نعيد المبلغ خلال خمسة أيام عمل."],
      cost: ["كم تكلفة التوصيل؟", "٢٠ درهماً، ومجاناً للطلبات فوق ٢٠٠ درهم."],
      time: ["كم يستغرق التوصيل؟", "يصل الطلب خلال يومين داخل الإمارات."],
      abroad: ["هل توصلون خارج الإمارات؟", "نعم، إلى السعودية والكويت وبقية دول الخليج."],
      payment: ["ما هي طرق الدفع المتاحة؟", "البطاقات والدفع عند الاستلام وتابي."],
      warranty: ["هل الساعات عليها ضمان؟", "ضمان لمدة سنتين على جميع الساعات."],
      privacy: ["كيف تستخدمون بياناتي؟", "نحفظ الاسم والعنوان والطلبات فقط، ولا نشاركها مع أحد."],
      size: ["كيف أعرف مقاس السوار؟", "يوجد جدول القياسات في صفحة كل منتج."],
      contact: ["كيف أتواصل معكم؟", "عبر الهاتف أو الواتساب يومياً."],
    },
    asked: [
      ["اريد ارجاع عطر اشتريته", "returns"],
      ["متى أسترد فلوسي", "refund"],
      ["هل الشحن مجاني", "cost"],
      ["متى يصل طلبي", "time"],
      ["هل تشحنون إلى السعودية", "abroad"],
      ["هل يوجد دفع عند الاستلام", "payment"],
      ["هل على الساعة ضمان", "warranty"],
      ["ماذا تفعلون بالبيانات الشخصية", "privacy"],
      ["ما هو المقاس المناسب", "size"],
      ["أريد رقم الهاتف للتواصل", "contact"],
      ["can I return a perfume", "returns"],
      ["is there cash on delivery, how can I pay", "payment"],
    ],
    offTopic: ["من فاز بكأس العالم ١٩٩٨", "اكتب لي قصيدة عن البحر", "ما هي عاصمة منغوليا"],
  },
  {
    language: "English, asked in others",
    faq: {
      returns: [
        "What is your return policy?",
        "Unused goods can be returned within 60 days of delivery for a full refund.",
      ],
      refund: [
        "How long does a refund take?",
        "We check returns within 3 working days and refund to the original card.",
      ],
      cost: ["How much is delivery in Ireland?", "4.95 EUR, and free for orders of 75 EUR or more."],
      time: ["How fast will my order arrive?", "Orders placed before 14:00 on a working day leave the same day."],
      abroad: ["Do you deliver outside Ireland?", "Yes, to Northern Ireland, Great Britain and the EU."],
      payment: ["How can I pay?", "Visa, Mastercard, Apple Pay and PayPal."],
      warranty: ["How long is the warranty?", "Everything new is covered for 2 years against faults in material."],
      privacy: ["What personal data do you keep?", "Name, address, e-mail and order history."],
      size: ["How do I find my size?", "Every product page has a size chart."],
      contact: ["How can I reach you?", "By phone and e-mail, Monday to Friday."],
    },
    asked: [
      ["Wie lange kann ich etwas zurückgeben?", "returns"],
      ["Wie lange darf ich die Jacke zurückgeben?", "returns"],
      ["Wann bekomme ich mein Geld zurück?", "refund"],
      ["Was kostet der Versand?", "cost"],
      ["Liefert ihr nach Österreich?", "abroad"],
      ["Verschickt ihr in die USA?", "abroad"],
      ["Geht der Versand auch nach Norwegen?", "abroad"],
      ["Kann man per Nachnahme zahlen?", "payment"],
      ["¿cuál es el plazo de devolución?", "returns"],
      ["¿cuánto tiempo tengo para devolver un artículo?", "returns"],
      ["¿cuánto cuesta el envío?", "cost"],
      ["qual é o prazo de devolução?", "returns"],
      ["em quanto tempo chega a encomenda", "time"],
      ["quel est le délai de retour ?", "returns"],
      ["combien de temps pour retourner un article ?", "returns"],
      ["livrez-vous en France ?", "abroad"],
      ["qual è il termine per il reso?", "returns"],
      ["quanto tempo ho per restituire un articolo?", "returns"],
      ["hoe lang heb ik om iets terug te sturen?", "returns"],
      ["¿hacéis envíos a Noruega?", "abroad"],
      ["verzenden jullie naar Zweden?", "abroad"],
      ["kan ik het terug brengen", "returns"],
      ["hoe lang is de garantie?", "warranty"],
      ["كم يوما لدي لإرجاع المنتج؟", "returns"],
      ["هل الشحن مجاني", "cost"],
      ["هل تشحنون إلى النرويج", "abroad"],
      ["can I pay when it arrives?", "payment"],
    ],
    offTopic: [
      "wer hat die WM 1998 gewonnen",
      "quelle est la capitale de la Mongolie",
      "what is the capital of France",
    ],
  },
];

describe.each(shops)("a store whose policies are in $language", ({ faq, asked, offTopic }) => {
  let storeId: string;
  beforeAll(async () => {
    ({ id: storeId } = await makeStore(database));
    const given = Object.entries(faq).map(([topic, [question, answer]]) => ({
      question,
      answer,
      policy_type: typeOf[topic as Topic],
      updated_at: "2026-01-12",
    }));
    await policies.replace(
      database.as({ kind: "system" }),
      policies.ReplacePolicies.parse({ storeId, policies: given }),
    );
  });

  const answers = async (query: string) => {
    const ctx = database.as(await makeReader(database));
    return (await policies.search(ctx, { storeId, query, limit: 3 })).policies.map(({ question }) => question);
  };

  it.each(asked)("%s → %s", async (question, topic) => {
    expect((await answers(question))[0]).toBe(faq[topic][0]);
  });

  it.each(offTopic)("has no answer to what no shop has policies for: %s", async (question) => {
    expect(await answers(question)).toEqual([]);
  });
});

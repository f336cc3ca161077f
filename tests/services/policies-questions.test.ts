// What shoppers ask a store that has answered most of it, in four languages.
import { beforeAll, describe, expect, it } from "vitest";
import * as policies from "../../server/services/policies";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";

const database = testDatabase();

/** By a name of its own: type, question, answer. */
const faq: Record<string, [(typeof policies.policyTypes)[number], string, string]> = {
  returns: ["returns", "What is your return policy?", "You can return unused items within 30 days for a full refund."],
  exchange: [
    "returns",
    "How do I exchange an item?",
    "Send it back with the exchange form and we send the other size or colour free of charge.",
  ],
  refund: [
    "returns",
    "When will I get my refund?",
    "Within 5 working days of receiving your return, to the original payment method.",
  ],
  returnCost: ["returns", "Who pays for return shipping?", "We do within the UK; from elsewhere you pay the postage."],
  sale: ["returns", "Can sale items be returned?", "Sale items can be returned for store credit only."],
  noReturn: ["returns", "Which items cannot be returned?", "Underwear, earrings and opened cosmetics."],
  faulty: ["returns", "What if my item is faulty or damaged?", "Send us a photo and we replace or refund it."],
  cost: ["shipping", "How much does shipping cost?", "3.95 GBP, free over 50 GBP."],
  time: ["shipping", "How long does delivery take?", "2 to 4 working days; express arrives next day."],
  abroad: ["shipping", "Do you ship internationally?", "Yes, to the EU, Norway, Switzerland, the USA and Canada."],
  customs: [
    "shipping",
    "Will I have to pay customs duties?",
    "Orders outside the UK may be charged import duty and VAT on arrival.",
  ],
  tracking: ["shipping", "How do I track my order?", "You get an e-mail with a tracking link when the parcel leaves."],
  collect: [
    "shipping",
    "Can I pick up my order in store?",
    "Yes, click and collect is free in London and Leeds, ready in two hours.",
  ],
  payment: ["payment", "What payment methods do you accept?", "Visa, Mastercard, PayPal and Apple Pay."],
  instalments: ["payment", "Can I pay in instalments?", "Yes, with Klarna in three parts."],
  giftCard: ["payment", "Do you sell gift cards?", "Yes, from 10 to 200 GBP, valid for two years."],
  student: ["payment", "Do you have a student discount?", "Yes, 10 % with a student ID."],
  code: ["payment", "Where do I enter a discount code?", "In the basket, before you pay."],
  warranty: ["warranty", "How long is the warranty?", "Two years on watches, one on everything else."],
  repair: ["warranty", "Do you repair watches?", "Yes, send it to our workshop in Leeds; a new battery costs 15 GBP."],
  privacy: ["privacy", "How do you use my personal data?", "Only for your order; see our privacy notice."],
  erasure: ["privacy", "How can I delete my account?", "Write to us and we erase your data within 30 days."],
  size: ["faq", "How do I find my size?", "Every product page has a size guide."],
  care: ["faq", "How should I clean my jewellery?", "With a soft cloth; keep it dry."],
  hours: ["faq", "What are your hours?", "Monday to Saturday 10 to 18."],
  contact: ["other", "How can I contact customer service?", "By phone, e-mail or chat."],
  change: ["other", "Can I cancel or change my order?", "Yes, until it has been dispatched."],
  giftWrap: ["other", "Do you offer gift wrapping?", "Yes, for 4 GBP per item, with a handwritten note."],
  restock: ["faq", "When will sold out items be back in stock?", "Sign up for an alert on the product page."],
  loyalty: ["faq", "How does the loyalty programme work?", "You collect a point per pound spent."],
};

const asked: [question: string, about: keyof typeof faq][] = [
  ["I ordered the wrong size, can I get a different one", "exchange"],
  ["I sent it back two weeks ago and still have no money", "refund"],
  ["are returns free?", "returnCost"],
  ["who pays the return postage", "returnCost"],
  ["do you accept returns", "returns"],
  ["can I return it without the original packaging", "returns"],
  ["you sent me the wrong product", "faulty"],
  ["one of the earrings is missing a stone", "faulty"],
  ["can I use apple pay", "payment"],
  ["what time do you shut", "hours"],
  ["when can I come to the shop", "hours"],
  ["are you open on bank holidays", "hours"],
  ["when will it be available again", "restock"],
  ["can I get it by Friday", "time"],
  ["do you offer next day delivery", "time"],
  ["how long are gift cards valid", "giftCard"],
  ["can you gift wrap it", "giftWrap"],
  ["is gift wrapping free", "giftWrap"],
  ["how much is gift wrapping", "giftWrap"],
  ["Geschenkverpackung", "giftWrap"],
  ["can I return a gift", "returns"],
  ["can I exchange a gift", "exchange"],
  ["Kann ich ein Geschenk zurückgeben?", "returns"],
  ["can you put a note in with the present", "giftWrap"],
  ["my promo code doesn't work", "code"],
  ["can you fix a broken strap", "repair"],
  ["which ring size am I", "size"],
  ["do you take american express", "payment"],
  ["do you keep my address", "privacy"],
  ["when will my parcel arrive if I order today", "time"],
  ["Wie fallen die Ringe aus?", "size"],
  ["Kann ich mit jemandem sprechen?", "contact"],
  ["¿A qué hora cerráis?", "hours"],
  ["how to look after silver", "care"],
  ["what is your email address", "contact"],
  ["I put in the wrong address", "change"],
  ["is there a guarantee on the watch", "warranty"],
  ["Kann ich die Ware umtauschen?", "exchange"],
  ["Wer zahlt das Rückporto?", "returnCost"],
  ["Verkaufen Sie Gutscheine?", "giftCard"],
  ["Wo gebe ich den Rabattcode ein?", "code"],
  ["Wann macht ihr zu?", "hours"],
  ["Haben Sie sonntags offen?", "hours"],
  ["Verschickt ihr auch in die Türkei?", "abroad"],
  ["Kann man das als Geschenk einpacken lassen?", "giftWrap"],
  ["Repariert ihr Uhren?", "repair"],
  ["Puis-je échanger contre une autre taille ?", "exchange"],
  ["Les retours sont-ils gratuits ?", "returnCost"],
  ["Vendez-vous des cartes cadeaux ?", "giftCard"],
  ["Où entrer mon code promo ?", "code"],
  ["Quand êtes-vous ouverts ?", "hours"],
  ["Faites-vous des paquets cadeaux ?", "giftWrap"],
  ["Peut-on payer en plusieurs fois ?", "instalments"],
  ["¿Puedo cambiarlo por otra talla?", "exchange"],
  ["¿Las devoluciones son gratuitas?", "returnCost"],
  ["¿Venden tarjetas regalo?", "giftCard"],
  ["¿Dónde pongo el código de descuento?", "code"],
  ["¿Cómo puedo seguir mi pedido?", "tracking"],
  ["¿Abren los domingos?", "hours"],
  ["¿Lo envuelven para regalo?", "giftWrap"],
  ["customer care", "contact"],
  ["I need support with my order", "contact"],
  ["how do I take care of silver", "care"],
  ["can I wear it in the shower", "care"],
  ["is it ok to get it wet", "care"],
  ["how much is a new battery", "repair"],
  ["how much is it", "cost"],
  ["I want all my data removed", "erasure"],
  ["please remove all my personal data", "erasure"],
  ["parcel says delivered but nothing is here", "tracking"],
  ["it was marked as delivered but I don't have it", "tracking"],
  ["Wer trägt die Kosten der Rücksendung?", "returnCost"],
  ["Qui paie le retour ?", "returnCost"],
  ["Dov'è il mio pacco?", "tracking"],
  ["Dove si trova il mio ordine?", "tracking"],
  ["Versandkosten nach Mallorca", "cost"],
  ["Verzendkosten naar Texel?", "cost"],
  ["Frais de port pour la Corse ?", "cost"],
  ["Combien ça coûte ?", "cost"],
  ["Hoe maak ik sieraden schoon?", "care"],
  ["which credit cards do you take", "payment"],
  ["can I pay half of it later", "instalments"],
  ["is there a restocking fee", "returnCost"],
  ["do you have a shop in London", "collect"],
];

describe("a store that answers most of what shoppers ask", () => {
  let storeId: string;
  beforeAll(async () => {
    ({ id: storeId } = await makeStore(database));
    const given = Object.values(faq).map(([policy_type, question, answer]) => ({
      question,
      answer,
      policy_type,
      updated_at: "2026-01-12",
    }));
    const input = policies.ReplacePolicies.parse({ storeId, policies: given });
    await policies.replace(database.as({ kind: "system" }), input);
  });

  const answers = async (query: string) => {
    const ctx = database.as(await makeReader(database));
    return (await policies.search(ctx, { storeId, query, limit: 3 })).policies.map(({ question }) => question);
  };

  it.each(asked)("%s → %s", async (question, about) => {
    expect((await answers(question))[0]).toBe(faq[about]![1]);
  });

  it.each([
    "¿tienen paraguas?",
    "do you sell umbrellas",
    "wooden toys",
    "straw hats",
    "a casserole dish with lid",
    "Haben Sie Regenschirme?",
    "sheepskin slippers EU 37",
    "4 person shelter",
    "guest towels",
    "cookie sheets",
    "playing cards",
    "chocolate covered fruit",
    "arch support insoles",
    "ankle support bandage",
    "skin care set",
    "car care kit",
    "is engraving free",
    "how much is engraving",
    "how much is the leather wallet",
    "what does the wallet cost",
    "price of the gold earrings",
    "Was kostet die Ledertasche?",
    "Combien coûte le sac en cuir ?",
    "¿Qué precio tiene el reloj?",
    "Quanto costa la borsa di pelle?",
    "Wat kost de leren tas?",
  ])("has no answer to a question for goods: %s", async (question) => {
    expect(await answers(question)).toEqual([]);
  });
});

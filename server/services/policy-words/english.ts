// What English-speaking shoppers say, and what policies are about: the list of concepts that the other languages have words for.

export interface Concept {
  /** What shoppers say, as in `Lexicon`. */
  said: string;
  /** The words that English policies have for it, as web search reads them. */
  meant: string;
  /** What any question may begin with weighs less than the rest, which weighs 1. */
  weight?: number;
  /** What it is about besides, if less so. */
  beside?: readonly string[];
  /** What else is looked for, as `to_tsquery` reads it. */
  query?: string;
  /** Its words have the stems of others: what they mean is looked for, and not they. */
  isMeantOnly?: true;
}

export const concepts = {
  return: {
    said: "send .. back|sending .. back|sent .. back|ship .. back|bring .. back|take .. back|give .. back|post .. back|money back|my money back|return*|accept return*|take return*|unwanted|change my mind|changed my mind|not like|not want",
    meant: 'return or "send back"',
  },
  refund: {
    said: "refund*|no money|my money",
    meant: "refund",
  },
  exchange: {
    said: "exchange*|swap*|different size|another size|different colour|different color|wrong size|too small|too big|too large|too tight|not fit",
    meant: "exchange or swap",
    beside: ["return"] as const,
  },
  returnCost: {
    said: "free return*|return* .. free|return shipping|return postage|return fee*|return cost*|return label*|return shipping .. free|return postage .. free|restocking fee*|cost .. return|pay .. return*|pays .. return*|pay .. return shipping|pays .. return shipping|pay .. return postage|pays .. return postage|pay .. postage .. return*|pays .. postage .. return*|pay .. send .. back|charge .. return*",
    meant:
      '"return shipping" or "return postage" or "free returns" or "returns free" or "return cost" or "return fee" or "return label"',
    beside: ["return", "cost"] as const,
  },
  delivery: {
    said: "get here|ship*|deliver*|dispatch*|send|sent|post|posted|postage|courier|arrive*|parcel*|package|packages|mailed",
    meant: "delivery or shipping or dispatch or arrive or postage",
  },
  abroad: {
    said: "abroad|international*|overseas|worldwide|other countries|another country|foreign|country|countries|export|europe*|eu|non eu",
    meant: "international or country or abroad or overseas or worldwide or outside",
  },
  destination: {
    said: "ship to|ship .. to|deliver to|deliver .. to|send to|send .. to|post to|post .. to|sent to",
    meant: "ship or deliver or outside or countries or country",
  },
  customs: {
    said: "customs|duty|duties|import|imports|imported|tax|taxes|vat",
    meant: "customs or duty or tax or VAT",
  },
  time: {
    said: "how long|how soon|how fast|how quick*|what day|by when|when|time|times",
    meant: "time or long or fast or soon or quickly or days",
    weight: 0.5,
  },
  speed: {
    said: "next day|same day|express|delivery date*|arrival date*|get it by|get them by|have it by|here by|arrive by|delivered by|in time for|before christmas|until it comes|when .. it come|when .. it comes",
    meant: '"next day" or "same day" or express or "delivery date"',
    beside: ["delivery", "time"] as const,
  },
  period: {
    said: "how long do i have|how long have i|how long can i|how many days|deadline|time limit",
    meant: "days or within or weeks or deadline",
  },
  cost: {
    said: "how much|flat rate|flat rates|cost*|price|prices|charge|charges|charged|fee|fees|expensive|cheap|cheapest|free",
    meant: '"how much" or cost or price or charge or fee or free',
  },
  deliveryCost: {
    said: "postage and packing|shipping rate*|delivery rate*",
    meant: '"shipping rate" or "delivery rate" or "shipping cost" or "delivery cost"',
    beside: ["delivery", "cost"] as const,
  },
  tracking: {
    said: "track|tracking|tracked|where .. order|where .. parcel|where .. package|where .. stuff|not arrived|not come|not received|never arrived|never came|turned up|turn up|says .. delivered|marked .. delivered|shows .. delivered|nothing is here|nothing here|nothing came|nothing arrived|show up|showed up|lost|late|delayed|missing",
    meant: "track or lost or late or delay or missing",
  },
  payment: {
    said: "pay when .. arrives|pay on delivery|pay on arrival|cash on delivery|pay|pays|paid|paying|payment*|credit card*|debit card*|card|cards|visa|mastercard|paypal|apple pay|google pay|cash",
    meant: "payment",
    // In French, "pays" are countries.
    query: "('pay' & !('quels' <-> 'pays') & !('autres' <-> 'pays') & !('les' <-> 'pays'))",
  },
  charge: {
    said: "money off my|take the money|take my money|charge my|charge .. card|debit*",
    meant: "charge or debit",
  },
  accept: {
    said: "accept*",
    meant: "payment",
    weight: 0.25,
    beside: ["payment"] as const,
    isMeantOnly: true,
  },
  amex: {
    said: "amex|american express",
    meant: '"american express" or payment',
  },
  instalments: {
    said: "pay later|pay .. later|pay .. instalments|pay .. installments|pay monthly|monthly|in parts|spread .. cost|split|klarna|instalment*|installment*|credit|finance",
    meant: 'instalments or installments or "pay later" or klarna or credit',
    beside: ["payment"] as const,
  },
  damage: {
    said: "broken|broke|break|breaks|damage*|faulty|fault|defect*|rip|ripped|torn|tear|leak*|crack*|snapped|smashed|shattered|chipped|in pieces|not work|not working|stopped working|fell apart|falling apart|falls apart|wrong item*|wrong thing*|missing a|missing part*|missing piece*|wrong product*|wrong goods|sent .. wrong|incorrect",
    meant: "damage or faulty or fault or defect or broken or wrong or claim",
  },
  warranty: {
    said: "warrant*|guarantee*|lifetime|covered by|covered under|covered for|covered against|is .. covered|are .. covered|am .. covered",
    meant: "warranty or guarantee or cover",
  },
  repair: {
    said: "fix .. broken|fix .. torn|repair .. broken|repair .. damaged|repair .. torn|mend .. broken|mend .. torn|repair*|fix|fixed|mend*|resol*|spare*|patch*|replacement*",
    meant: "repair or mend or resole or spare or replace",
  },
  privacy: {
    said: "privacy|data|gdpr|personal|use cookies|set cookies|accept cookies|cookie policy|cookie notice|cookie settings|my details|my information|my info|my email|what information|information .. store|information .. hold|information .. keep|about me|on me|sell my|keep my|store my|hold my|save my",
    meant: "privacy or data or personal or cookies",
  },
  erasure: {
    said: "delet*|delete .. account|erase*|forget me|close .. account|remove my|remove .. data|remove .. details|remove .. information|remove .. account|data removed|details removed|information removed|account removed",
    meant: "delete or erase or forget",
  },
  copy: {
    said: "download|copy of",
    meant: "copy or download",
  },
  sharing: {
    said: "share|shared|advertis*|third part*|other companies|anyone else",
    meant: 'share or advertisers or "third parties"',
  },
  newsletter: {
    said: "newsletter*|unsubscribe|marketing|spam|emails|mailing list",
    meant: "newsletter or unsubscribe or marketing or email",
  },
  change: {
    said: "cancel*|amend|changes|changed|change my order|change .. order|change .. address|wrong address",
    meant: "cancel or amend or change",
  },
  gift: {
    said: "gift*|present|presents|birthday",
    meant: "gift or voucher or wrap",
  },
  giftCard: {
    said: "gift card*|gift certificate*|giftcard*|voucher*",
    meant: '"gift card" or "gift certificate" or voucher',
    beside: ["gift"] as const,
  },
  giftWrap: {
    said: "wrap*|gift wrap*|gift box*|gift note*|gift message*",
    meant: 'wrap or "gift box" or "gift note" or "gift message"',
  },
  discount: {
    said: "discount*|promo*|offers|special offer|on offer|deal|deals",
    meant: "discount or promotion or offer or coupon",
  },
  code: {
    said: "discount code*|promo code*|promotion code*|promotional code*|voucher code*|coupon*",
    meant: '"discount code" or "promo code" or "promotion code" or "voucher code" or coupon',
    beside: ["discount"] as const,
  },
  student: {
    said: "student*|nhs|military|teacher*",
    meant: "student or discount",
  },
  priceMatch: {
    said: "price match*|cheaper|cheaper elsewhere|beat .. price",
    meant: '"price match" or match',
  },
  hours: {
    said: "opening hours|opening times|your hours|the hours|what hours|business hours|trading hours|working hours|office hours|weekend hours|holiday hours|hours of operation|hours of business|open on|open at|open today|open now|open tomorrow|open late|open until|open till|are you open|are you closed|you open|you close|closed on|closing time|closing times|what time .. open|what time .. close|when .. open|when do you close|shop open|store open|what time .. shut|when .. shut|do you shut|when can i visit|when can i come|shop hours|store hours|when .. shop open|when .. store open|what time .. shop open|what time .. store open|what time .. shop close|what time .. store close",
    // "Open" alone has the stem of "opened", and within hours things are ready or sent.
    meant:
      '"opening hours" or "opening times" or "shop hours" or "store hours" or "shop open" or "store open" or "business hours" or "trading hours" or "hours of operation" or "open on sunday" or "open on saturday" or "open monday" or "open from monday" or "open daily"',
  },
  personalise: {
    said: "personaliz*|personalis*|engrav*|monogram*|embroider*|customiz*|customis*",
    meant: "personalise or personalised or engrave or monogram or embroidery or embroider",
    // Its American spellings have the stem of "personal".
    query:
      "('personalized':A & !('data':A | 'details':A | 'information':A | 'privacy':B | 'returns':B | 'payment':B | 'shipping':B | 'warranty':B))",
    isMeantOnly: true,
  },
  visit: {
    said: "visit|in person|have a shop|have a store|have any shops|have any stores|physical shop*|physical store*|showroom|branch*",
    meant: "visit or open or hours or shop or store",
  },
  inside: {
    said: "into the shop|into your shop|into your shops|into the store|into your store|into your stores|into a shop|into a store",
    meant: "visit",
    weight: 0.25,
  },
  collect: {
    said: "collect*|pick up|pick .. up|pickup|picking up",
    meant: "collect or collection or pickup",
    // Alone, French "retirer" has the stem of "retire".
    query: "('retirer' <2> 'commande')",
  },
  contact: {
    said: "contact*|phone|telephone|call|ring you|ring up|ring someone|can ring|to ring|i ring|give .. ring|email|chat|speak|talk|human|customer service|customer services|customer care|support|complain*",
    meant: "contact or phone or email or call or chat",
  },
  size: {
    said: "us size*|the us size*|size|sizes|sizing|measure*|fit|fits|fitting|run small|run large|runs small|runs large",
    meant: "size or fit or measure",
  },
  care: {
    said: "look after|looking after|take care of|wear .. shower|wear .. bath|wear .. pool|get .. wet|gets wet|getting wet|tarnish*|dishwasher safe|dry clean*|wash*|clean*|care|reproof*|waterproof*|tumble",
    meant: "wash or clean or care or reproof",
  },
  environment: {
    said: "sustainab*|recycl*|eco*|environment*|ethical*|carbon|plastic",
    meant: "sustainable or recycle or environment",
    // Answers tell that it is taken away, or must be whole.
    query: "'packaging':A",
  },
  restock: {
    said: "out of stock|back in stock|restock*|sold out|available again|back again|be available|come back in",
    meant: "stock or restock",
  },
  backorder: {
    said: "backorder*|back order*",
    meant: 'backorder or "back order"',
  },
  preorder: {
    said: "preorder*|pre order*",
    meant: 'preorder or "pre order"',
  },
  loyalty: {
    said: "points|collect .. points|loyalty|reward*|member*",
    meant: "points or loyalty or reward or join or club",
  },
  account: {
    said: "account*|login|log in|password|register|sign up|as .. guest|guest checkout|guest account|guest order*",
    meant: "account or guest or password",
  },
  hire: {
    said: "rent*|hire|hiring|borrow",
    meant: "hire or rent",
  },
  secondHand: {
    said: "trade in|part exchange|second hand|secondhand|pre owned|preowned",
    // "Used" alone has the stem of "use", which policies are full of.
    meant:
      '"buy back" or "used gear" or "used items" or "used goods" or "used equipment" or "used clothes" or refurbished',
  },
  buyBack: {
    said: "buy back|buyback|do you buy used|do you buy old|do you buy second hand|do you buy secondhand|do you buy my|would you buy my|will you buy my|sell you|sell .. to you|sell my old|sell my used",
    meant: '"buy back" or "trade in" or "part exchange" or "sell us" or "buy used" or "buy old"',
    beside: ["secondHand"] as const,
  },
  trade: {
    said: "wholesale|bulk|school*|large order",
    meant: "trade or bulk or business or group",
  },
  security: {
    said: "secure|security|safe|scam|fraud|stolen",
    meant: "secure or safe or encrypted or fraud",
  },
  receipt: {
    said: "receipt*|proof of purchase|invoice*",
    meant: "receipt or proof or invoice",
  },
  worn: {
    said: "worn|wore|opened|tags|original packaging|original box|without .. packaging|without .. box",
    meant: "worn or unused or opened or tags",
  },
} satisfies Record<string, Concept>;

/** A policy whose question has no other words than these, and one of the first, tells when the shop is open. */
export const ofHours =
  "hours open opening closed close times days daily week weekdays weekend today now shop store business trading working office operation location address bank public holidays monday tuesday wednesday thursday friday saturday sunday";

/** Words of talk between people, which no policy is about. Stop words go too, but later, by the database's own list. */
export const chatter =
  "hi hello hey please thanks thank need want wanted like know tell ask wondering question something anything thing things stuff item items product products one ones get got getting would could can may might let us make take also just really possible okay ok buy bought buying purchase purchased does do done dont doesnt didnt isnt wont cant im ive id whats happen happens happening anyway way someone person persons people guys others offer offered provide provided sell sells sold selling use using order orders ordered ordering";

/** Words that stand in most English sentences and in none of other languages, to tell English by. */
export const common =
  "the of to and is are my your it if on in for with what when how where who which does has have been from this that there i you not an be will was am they";

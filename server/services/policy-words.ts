// How shoppers say what a store's policies say: "send it back" is a return, "get here" is a delivery.
import { fold } from "./fold";

/**
 * What shoppers say, and the words that policies have for it. `*` ends a word anyhow, `..` stands for up to three words.
 * Of several that fit, the longest counts, then the first. What any question may begin with weighs less than the rest.
 */
const sayings: readonly [said: string, meant: string, weight?: number][] = [
  [
    "send .. back|sending .. back|sent .. back|ship .. back|bring .. back|take .. back|give .. back|post .. back|money back|return*|unwanted|change my mind|changed my mind|not like|not want",
    'return or "send back"',
  ],
  ["refund*", "refund"],
  [
    "exchange*|swap*|different size|another size|different colour|different color|wrong size|too small|too big|too large|too tight|not fit",
    "exchange or swap or return",
  ],
  [
    "get here|ship*|deliver*|dispatch*|send|sent|post|posted|postage|courier|arrive*|parcel*|package|packages|mailed",
    "delivery or shipping or dispatch or arrive or postage",
  ],
  [
    "abroad|international*|overseas|worldwide|other countries|another country|foreign|country|countries|export",
    "international or country or abroad or overseas or worldwide or outside",
  ],
  [
    "ship to|ship .. to|deliver to|deliver .. to|send to|send .. to|post to|post .. to|sent to",
    "ship or deliver or outside or countries or country",
  ],
  ["customs|duty|duties|import|imports|imported|tax|taxes|vat", "customs or duty or tax or VAT"],
  [
    "how long|how soon|how fast|how quick*|what day|by when|when|time|times",
    "time or long or fast or soon or quickly or days",
    0.5,
  ],
  [
    "how long do i have|how long have i|how long can i|how many days|deadline|time limit",
    "days or within or weeks or deadline",
  ],
  [
    "how much|cost*|price|prices|charge|charges|charged|fee|fees|expensive|cheap|cheapest|free",
    '"how much" or cost or price or charge or fee or free',
  ],
  [
    "track|tracking|tracked|where .. order|where .. parcel|where .. package|where .. stuff|not arrived|not come|not received|never arrived|never came|turned up|turn up|show up|showed up|lost|late|delayed|missing",
    "track or lost or late or delay or missing",
  ],
  ["pay|pays|paid|paying|payment*|card|cards|visa|mastercard|paypal|apple pay|google pay|cash", "payment or pay"],
  ["money off my|take the money|take my money|charge my|charge .. card|debit*", "charge or debit"],
  ["amex", '"american express" or payment'],
  [
    "pay later|pay .. instalments|pay .. installments|pay monthly|monthly|in parts|spread .. cost|split|klarna|instalment*|installment*|credit|finance",
    'instalments or installments or "pay later" or klarna or credit',
  ],
  [
    "broken|broke|break|breaks|damage*|faulty|fault|defect*|rip|ripped|torn|tear|leak*|crack*|snapped|smashed|shattered|chipped|in pieces|not work|not working|stopped working|fell apart|falling apart|falls apart|wrong item|wrong thing|incorrect",
    "damage or faulty or fault or defect or broken or wrong or claim",
  ],
  ["warrant*|guarantee*|lifetime|covered", "warranty or guarantee or cover"],
  ["repair*|fix|fixed|mend*|spare*|patch*|replacement*", "repair or mend or spare or replace"],
  [
    "privacy|data|gdpr|personal|cookie*|my details|my information|my info|my email|what information|information .. store|information .. hold|information .. keep|about me|on me|sell my",
    "privacy or data or personal or cookies",
  ],
  ["delet*|delete .. account|erase*|forget me|close .. account|remove my", "delete or erase or forget"],
  ["download|copy of", "copy or download"],
  ["share|shared|advertis*|third part*|other companies|anyone else", 'share or advertisers or "third parties"'],
  ["newsletter*|unsubscribe|marketing|spam|emails|mailing list", "newsletter or unsubscribe or marketing or email"],
  ["cancel*|amend|change my order|change .. order|change .. address|wrong address", "cancel or amend or change"],
  ["gift*|wrap*|voucher*|present|birthday", "gift or voucher or wrap"],
  ["discount*|coupon*|promo*|offers|deal|deals", "discount or promotion or offer or coupon"],
  ["student*|nhs|military|teacher*", "student or discount"],
  ["price match*|cheaper|cheaper elsewhere|beat .. price", '"price match" or match'],
  [
    "opening hours|opening times|visit|in person|showroom|branch*|open on|open at|are you open|closing time",
    "visit or open or hours or shop or store",
  ],
  ["collect*|pick up|pick .. up|pickup|picking up", "collect or collection or pickup"],
  [
    "contact*|phone|call|ring|email|chat|speak|talk|human|customer service|customer services|support|complain*",
    "contact or phone or email or call or chat",
  ],
  ["size|sizes|sizing|measure*|fit|fits|fitting|run small|run large|runs small|runs large", "size or fit or measure"],
  ["wash*|clean*|care|reproof*|waterproof*|tumble", "wash or clean or care or reproof"],
  [
    "sustainab*|recycl*|eco*|environment*|ethical*|carbon|plastic",
    "sustainable or recycle or environment or packaging",
  ],
  ["out of stock|back in stock|restock*|sold out", "stock or restock"],
  ["backorder*|back order*", 'backorder or "back order"'],
  ["preorder*|pre order*", 'preorder or "pre order"'],
  ["points|collect .. points|loyalty|reward*|member*", "points or loyalty or reward or join or club"],
  ["account*|login|log in|password|register|sign up|guest", "account or guest or password"],
  ["rent*|hire|hiring|borrow", "hire or rent"],
  ["trade in|part exchange|second hand|secondhand|pre owned|preowned", '"buy back" or used or refurbished'],
  ["wholesale|bulk|school*|large order", "trade or bulk or business or group"],
  ["secure|security|safe|scam|fraud|stolen", "secure or safe or encrypted or fraud"],
  ["receipt*|proof of purchase|invoice*", "receipt or proof or invoice"],
  ["worn|wore|opened|tags", "worn or unused or opened or tags"],
];

/** Words of talk between people, which no policy is about. Stop words go too, but later, by the database's own list. */
const chatter = new Set(
  "hi hello hey please thanks thank need want wanted like know tell ask wondering question something anything thing things stuff item items product products one ones get got getting would could can may might let us make take also just really possible okay ok buy bought buying purchase purchased does do done dont doesnt didnt isnt wont cant im ive id whats happen happens happening anyway way someone people guys others".split(
    " ",
  ),
);

const contractions: readonly [RegExp, string][] = [
  [/\bcan['’]?t\b/g, "cannot"],
  [/\bwon['’]?t\b/g, "not"],
  [/n['’]t\b/g, " not"],
  [/\b(do|does|did|is|was|has|have)nt\b/g, "$1 not"],
  [/['’](s|re|ll|ve|d|m)\b/g, ""],
];

/** One thing that a question asks about. */
export interface Term {
  /** The shopper's own words; empty when they are but a turn of phrase. */
  said: string;
  /** The policies' words for it, as web search reads them; empty when it is none of the sayings. */
  meant: string;
  /** How much that counts; 1 for most. */
  weight: number;
  /** For a word that is no saying: what it would mean if one letter of it were wrong. Empty for most. */
  perhaps: string;
}

export const termsOf = (question: string): Term[] => termsIn(wordsOf(question));

function termsIn(words: readonly string[]): Term[] {
  const terms: Term[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at]!;
    const found = longestSaying(words, at);
    if (found) {
      terms.push({ said: found.length === 1 ? word : "", meant: found.meant, weight: found.weight, perhaps: "" });
      // What stands in a gap is asked about too: "send climbing gear back".
      const between = words.slice(at + 1, at + found.length).filter((inner) => !found.pattern.includes(inner));
      terms.push(...termsIn(between));
    } else if (!chatter.has(word)) {
      terms.push({ said: word, meant: "", weight: 1, perhaps: misspelt(word)?.meant ?? "" });
    }
    at += found?.length ?? 1;
  }
  return terms;
}

function wordsOf(question: string): string[] {
  const plain = contractions.reduce((text, [form, words]) => text.replace(form, words), fold(question));
  return plain.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !/^\d{1,2}$/.test(word)) ?? [];
}

interface Saying {
  pattern: readonly string[];
  meant: string;
  weight: number;
}

const patterns = sayings.flatMap(([said, meant, weight = 1]) =>
  said.split("|").map((text): Saying => ({ pattern: text.split(" "), meant, weight })),
);

/** The saying that takes the most of `words` from `at` on, and how many it takes. */
function longestSaying(words: readonly string[], at: number): (Saying & { length: number }) | undefined {
  let longest: (Saying & { length: number }) | undefined;
  for (const saying of patterns) {
    const length = taken(saying.pattern, words, at);
    if (length > (longest?.length ?? 0)) longest = { ...saying, length };
  }
  return longest;
}

const GAP = 3;

/** How many of `words`, from `at` on, the pattern takes; 0 when it does not fit. */
function taken(pattern: readonly string[], words: readonly string[], at: number): number {
  const [first, ...rest] = pattern;
  if (first === "..") {
    for (let skip = 0; skip <= GAP; skip++) {
      const after = taken(rest, words, at + skip);
      if (after > 0) return skip + after;
    }
    return 0;
  }
  if (first === undefined || !isWord(first, words[at] ?? "")) return 0;
  if (rest.length === 0) return 1;
  const after = taken(rest, words, at + 1);
  return after > 0 ? after + 1 : 0;
}

const isWord = (pattern: string, word: string): boolean =>
  pattern.endsWith("*") ? word.startsWith(pattern.slice(0, -1)) : word === pattern;

/** Shorter words are too like one another: "late" and "lake"; with another letter in it, so are "price" and "prime". */
const LONG_ENOUGH = 5;

const misspelt = (word: string) =>
  word.length < LONG_ENOUGH
    ? undefined
    : patterns.find(({ pattern }) => pattern.length === 1 && nearly(pattern[0]!, word));

/** Is one letter of `word` wrong, missing, too many, or swapped with its neighbour? */
function nearly(pattern: string, word: string): boolean {
  const open = pattern.endsWith("*");
  const right = open ? pattern.slice(0, -1) : pattern;
  if (right.length < LONG_ENOUGH || right[0] !== word[0]) return false;
  let at = 0;
  while (at < right.length && right[at] === word[at]) at++;
  const goesOn = (from: number, rest: string) => (open ? word.startsWith(rest, from) : word.slice(from) === rest);
  return (
    (right.length > LONG_ENOUGH && goesOn(at + 1, right.slice(at + 1))) ||
    goesOn(at, right.slice(at + 1)) ||
    goesOn(at + 1, right.slice(at)) ||
    (word[at] === right[at + 1] && word[at + 1] === right[at] && goesOn(at + 2, right.slice(at + 2)))
  );
}

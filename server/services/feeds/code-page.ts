// Text that is not UTF-8, though nothing in it says so: what Excel saves as plain CSV is in the code page of the Windows that it runs on. It is
// read so where hardly anything in it is UTF-8; else it is UTF-8 with something broken in it (decision 0153).
import { isAscii } from "node:buffer";
import { withoutC1 } from "./plain";

/** From the first byte that is not ASCII on, so many tell what the file is. */
const SAMPLE = 1024 * 1024;
/** Of so many of a code page's characters some may be UTF-8 by chance: `PÓŁKA`, `é »`. */
const CHANCE = 10;

/** Windows' code pages where they are not the western one, by the store's country: of alphabets of one byte a character. */
const elsewhere: [encoding: string, countries: string][] = [
  ["windows-1250", "AL BA CZ HR HU ME PL RO RS SI SK"],
  ["windows-1251", "BG BY KG KZ MK MN RU TJ UA UZ"],
  ["windows-1253", "CY GR"],
  ["windows-1254", "AZ TR"],
  ["windows-1255", "IL"],
  ["windows-1256", "AE BH DZ EG IQ IR JO KW LB LY MA OM PK QA SA SY TN YE"],
  ["windows-1257", "EE LT LV"],
];
/** Those whose scripts have more characters than a byte has values, or whose code page Windows alone knows. */
const unread = new Set("AM CN GE HK JP KH KP KR LA MM MO SG TH TW VN".split(" "));
const codePages = new Map(
  elsewhere.flatMap(([encoding, countries]) => countries.split(" ").map((country) => [country, encoding] as const)),
);

/** Undefined where that is none that is read. */
const codePageOf = (country: string): string | undefined =>
  unread.has(country) ? undefined : (codePages.get(country) ?? "windows-1252");

interface Home {
  /** The store's, ISO 3166-1. */
  country: string;
  /** Is told the encoding that the file is read in, where that is a code page. */
  onCodePage: (encoding: string) => void;
}

/** UTF-8 without a byte order mark, or what is taken for a code page's instead. What can't be decoded comes as U+FFFD. */
export class UnmarkedText {
  /** Undefined as long as all is ASCII, or too little of what is not. */
  private decoder: TextDecoder | undefined;
  private held: Buffer[] = [];
  private size = 0;

  constructor(private readonly home: Home | undefined) {}

  /** In pieces no larger than they came: what is cut from a text keeps all of it in memory. */
  *write(chunk: Buffer): Generator<string> {
    if (this.decoder) yield this.decoder.decode(chunk, { stream: true });
    else if (this.size === 0 && isAscii(chunk)) yield chunk.toString("latin1");
    else {
      this.held.push(chunk);
      this.size += chunk.length;
      if (this.size >= SAMPLE) yield* this.judged();
    }
  }

  *end(): Generator<string> {
    if (!this.decoder) yield* this.judged();
    yield this.decoder!.decode();
  }

  private *judged(): Generator<string> {
    const { held } = this;
    this.held = [];
    const bytes = Buffer.concat(held);
    const encoding = this.home && codePageOf(this.home.country);
    const isOther = encoding !== undefined && isIn(encoding, bytes);
    if (isOther) this.home!.onCodePage(encoding);
    this.decoder = new TextDecoder(isOther ? encoding : "utf-8");
    for (const chunk of held) yield this.decoder.decode(chunk, { stream: true });
  }
}

/** Nobody writes C1's controls, and hardly anybody a capital ÿ: they are another code page's letters, such as a Mac's ü. */
const notMeant = /[\u0080-\u009fŸ]/;

function isIn(encoding: string, bytes: Buffer): boolean {
  const { valid, invalid } = sequences(bytes);
  return invalid > valid * CHANCE && !notMeant.test(withoutC1(new TextDecoder(encoding).decode(bytes)));
}

/** UTF-8's characters of several bytes, and bytes that do not even begin one: what was cut off speaks for neither. */
function sequences(bytes: Buffer): { valid: number; invalid: number } {
  let [valid, invalid] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++]!;
    if (first < 0x80) continue;
    const more = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    const from = at;
    while (at < from + more && (bytes[at]! & 0xc0) === 0x80) at++;
    if (at === from) invalid++;
    else if (at === from + more) valid++;
  }
  return { valid, invalid };
}

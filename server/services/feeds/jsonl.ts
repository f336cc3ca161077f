// OpenAI's product feed as JSON Lines: one product, as one JSON object, on each line.
import { exponent } from "../money";
import { isList, normalised } from "./header";
import {
  faulty,
  listed,
  MAX_VALUES,
  type RawRow,
  type Reader,
  rowOfNames,
  setNamed,
  type Value,
  withId,
} from "./raw-row";
import { FEW_LINES, Refusal } from "./report";

const MAX_LINE = 1024 * 1024;
const NO_JSON = "is not JSON";
/** In a line that is no JSON: where it comes first, it is the row's own. */
const firstId = /^\s*\{\s*"(?:id|item_id)"\s*:\s*(?:"([^"\\]+)"|(\d+)\s*,)/;

export class JsonLinesReader implements Reader {
  readonly format = "openai-jsonl";
  private rest = "";
  private line = 0;

  write(text: string): RawRow[] {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop()!;
    if (this.rest.length > MAX_LINE)
      throw new Refusal(
        `Line ${this.line + 1} is longer than ${MAX_LINE.toLocaleString("en")} characters. Send one product, as one JSON object, on each line.`,
      );
    return lines.flatMap((line) => this.rowsOf(line));
  }

  end(): RawRow[] {
    const rows = this.rowsOf(this.rest);
    if (rows[0]?.fault?.reason === NO_JSON && this.rest.startsWith("{") && this.line > FEW_LINES)
      throw new Refusal(`The file breaks off in line ${this.line}, which is no whole JSON object. Send it again.`);
    return rows;
  }

  private rowsOf(line: string): RawRow[] {
    this.line++;
    if (line.trim() === "") return [];
    let product: unknown;
    try {
      product = parse(line);
    } catch {
      const id = firstId.exec(line);
      return [faulty(this.line, "row", line, NO_JSON, withId(id?.[1] ?? id?.[2]))];
    }
    if (typeof product !== "object" || product === null || Array.isArray(product))
      return [faulty(this.line, "row", line, "is not a JSON object")];
    const fields = Object.entries(product);
    if (fields.length > MAX_VALUES) return [faulty(this.line, "row", line, "has more than 1,000 fields")];
    const named = new Map<string, Value[]>();
    for (const [name, value] of fields) {
      const known = normalised(name);
      const several = typeof value === "string" && isList(known) ? listed(value) : value;
      const values = (Array.isArray(several) ? several.slice(0, MAX_VALUES) : [several]).flatMap((one) =>
        readValue(known, one),
      );
      setNamed(named, known, values);
    }
    return [rowOfNames(this.line, named)];
  }
}

/**
 * Whole numbers that a double may not hold, such as the id 1729384756102938475, stay as they are written, and so does an amount
 * of 90.0, which is no 90 cents.
 */
function parse(line: string): unknown {
  const text = line.replace(roundAmount, '$1"$2.00"');
  const product: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return product;
  return JSON.parse(text.replace(token, (found) => (/^\d{16,}$/.test(found) ? `"${found}"` : found)));
}
/** Quotes within a text are escaped: this is the name of a number. */
const roundAmount = /("amount"\s*:\s*)(-?\d+)\.0+(?=\s*[,}])/gi;
/** A text or a number, of what is JSON. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/**
 * Numbers are written out: prices come from their digits. The names in a `variant_dict` are the shop's own: they stay, as in CSV.
 * @param name of the field, normalised
 */
function readValue(name: string, value: unknown): Value[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "boolean") return [scalar(name, value)];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  if (name === "variant_dict") return [dictOf(value)];
  return [
    Object.fromEntries(
      Object.entries(value)
        .slice(0, MAX_VALUES)
        .flatMap(([partName, part]) => {
          const text = partOf(`${name}_${partName}`, part);
          return text === undefined ? [] : [[normalised(partName), text]];
        }),
    ),
  ];
}

/** Money in a part, as `5 USD`. An amount that is whole may be in cents, which must not be guessed: `500 or 5.00 USD` is no price. */
function partOf(name: string, part: unknown): string | undefined {
  if (typeof part === "string") return part;
  if (typeof part === "number" || typeof part === "boolean") return scalar(name, part);
  if (typeof part !== "object" || part === null) return undefined;
  const { value, amount = value, currency } = part as Record<string, unknown>;
  if ((typeof amount !== "string" && typeof amount !== "number") || typeof currency !== "string") return undefined;
  const digits = exponent(currency.toUpperCase());
  const mayBeMinor = amount !== value && digits > 0 && /^\s*0*[1-9]\d*\s*$/.test(String(amount));
  const minor = mayBeMinor ? ` or ${(Number(amount) / 10 ** digits).toFixed(digits)}` : "";
  return `${scalar("price", amount)}${minor} ${currency}`;
}

/** As CSV has it. What lies too deep to be written is no text: what stands in its place is told so. */
function dictOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "nested too deep";
  }
}

/** The point of a JSON number is decimal: a price's three digits behind it are never thousands, so they get a fourth. */
const scalar = (name: string, value: string | number | boolean): string =>
  typeof value !== "string" && /price|cost/i.test(name) ? String(value).replace(/\.\d{3}$/, "$&0") : String(value);

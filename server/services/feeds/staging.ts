// The rows of one file on their way into PostgreSQL: COPY into temporary tables of the load's transaction.
import type { LanguageCode } from "../languages";
import { languagesOf, SAMPLE, spoken } from "../store-languages";
import { formerOffers } from "./former";
import type { Offer } from "./offer";
import { fullSearch, nounWords, titleSearch } from "./search-text";
import { columnList, rowText, type Staged } from "./staged-row";
import { tokensOf, Words } from "./token";
import type { Transaction } from "./transaction";

type Given = Omit<Staged, "nouns" | "now">;

/** A row of the file that is not loaded, as the merchant withholds it from agents, or it has an error. */
interface LeftOut {
  id: string;
  position: number;
  line: number;
  withheld: boolean;
}

/** Characters gathered before they are sent. */
const BATCH = 1024 * 1024;
/** Rows wait until the languages are known. Then a few go with each further row, and the rest in portions, so that others have their turn. */
const EARLY_WITH_EACH = 4;
const EARLY_A_TURN = 100;
/** Rows left out, gathered before they are sent. */
const LEFT_OUT = 5_000;

/**
 * Takes rows in batches: while PostgreSQL matches one batch with what the store has, and indexes its words, the next is
 * being read. `staged` has a row's columns, the ids of its variant and product if it is `known`, whether what search
 * reads of it has `changed`, and, where it has and stands alone, its search vectors.
 */
export class Staging {
  /** Rows of the file so far. */
  private rows = 0;
  private text = "";
  private leftOut: LeftOut[] = [];
  private sending = Promise.resolve();
  private readonly words = new Words();
  /** The first rows, until they have told the languages and are written. */
  private early: { offer: Offer; given: Given }[] = [];

  private constructor(
    private readonly tx: Transaction,
    private readonly storeId: string,
    private readonly now: Date,
    private readonly dataAsOf: Date,
    private told: readonly LanguageCode[] | undefined,
    private readonly anew: boolean,
  ) {}

  /**
   * @param languages to index words in, beside English; undefined: those that the first thousand rows are written in
   * @param anew index what has not changed, too
   * @param dataAsOf when the file's rows were read from the merchant, unless that is now
   */
  static async open(
    tx: Transaction,
    storeId: string,
    now: Date,
    {
      languages,
      anew = false,
      dataAsOf = now,
    }: { languages: readonly LanguageCode[] | undefined; anew?: boolean; dataAsOf?: Date | undefined },
  ): Promise<Staging> {
    await tx.unsafe(`create temp table incoming (${columnList}) on commit drop`);
    // Rows stay in one piece, uncompressed: they are read again soon.
    await tx.unsafe(`create temp table staged (${columnList}, known bigint, known_product bigint, changed bool,
      title_search tsvector, search tsvector) with (toast_tuple_target = 8160) on commit drop`);
    await tx`create temp table left_out (variant_id text, position int, line int, withheld bool) on commit drop`;
    return new Staging(tx, storeId, now, dataAsOf, languages, anew);
  }

  add(offer: Offer): void {
    const [tokens, words] = [tokensOf(offer), this.words.of(offer)];
    this.take(offer, { position: this.rows++, tokens, words, dataAsOf: this.dataAsOf });
  }

  private take(offer: Offer, given: Given): void {
    this.early.push({ offer, given });
    if (this.told) this.writeEarly(EARLY_WITH_EACH);
    else if (this.early.length === SAMPLE) this.settle();
  }

  /** @returns the languages that words are indexed in, beside English: told by the rows so far, where nothing else has */
  settle(): readonly LanguageCode[] {
    this.told ??= languagesOf(this.early.map(({ offer }) => spoken(offer)));
    return this.told;
  }

  /** So many of those that are left, the last first: the order is in their positions. */
  private writeEarly(count: number): void {
    const languages = this.settle();
    for (const { offer, given } of this.early.splice(-count))
      this.text += rowText(offer, { ...given, nouns: nounWords(offer, languages), now: this.now });
  }

  leaveOut(row: Omit<LeftOut, "position">): void {
    this.leftOut.push({ ...row, position: this.rows++ });
  }

  /** Waits while PostgreSQL is behind by a batch: memory does not grow with the file. */
  async drain(): Promise<void> {
    if (this.text.length >= BATCH || this.leftOut.length >= LEFT_OUT) await this.send();
  }

  async close(): Promise<void> {
    while (this.early.length > 0) {
      this.writeEarly(EARLY_A_TURN);
      await new Promise(setImmediate);
    }
    await this.send();
    await this.sending;
  }

  /**
   * Rows with an error whose ids the store has: as they were loaded before, as if the file had them.
   * @param last of the variants that count
   * @returns how many
   */
  async addFormer(last: number | undefined): Promise<number> {
    let count = 0;
    for await (const { offer, ...staged } of formerOffers(this.tx, this.storeId, last)) {
      this.take(offer, { ...staged, words: this.words.of(offer) });
      count++;
      await this.drain();
      // The next of them are asked for over the same connection.
      await this.sending;
    }
    await this.close();
    return count;
  }

  /** Lets what is under way end, so that the transaction can be rolled back. */
  async abandon(): Promise<void> {
    await this.sending.catch(() => {});
  }

  private async send(): Promise<void> {
    await this.sending;
    const [batch, leftOut] = [Buffer.from(this.text), this.leftOut];
    [this.text, this.leftOut] = ["", []];
    this.sending = this.stage(batch, leftOut);
    // Thrown where it is waited for; until then it must not count as unhandled.
    this.sending.catch(() => {});
  }

  private async stage(batch: Buffer, leftOut: LeftOut[]): Promise<void> {
    const { tx } = this;
    const languages = this.settle();
    if (leftOut.length > 0)
      await tx`insert into left_out select * from unnest(${leftOut.map((row) => row.id)}::text[],
      ${leftOut.map((row) => row.position)}::int[], ${leftOut.map((row) => row.line)}::int[],
      ${leftOut.map((row) => String(row.withheld))}::text[]::bool[])`;
    const copy = await tx`copy incoming from stdin`.writable();
    copy.on("error", () => {}); // also given to the callback
    await new Promise<void>((resolve, reject) => copy.write(batch, (error) => (error ? reject(error) : resolve())));
    // postgres.js tells of no error after the end of the data; the next statement fails in its stead.
    copy.end();
    await new Promise(setImmediate);
    const column = (name: string) => tx.unsafe(name);
    await tx`
      insert into staged
      select m.*, case when m.title_search is not null
        then ${fullSearch(tx, languages, { titleSearch: column("m.title_search"), codes: column("m.code_words"), text: column("m.text_words") })} end
      from (
        select i.*, v.id as known, v.product_ref as known_product, c.changed,
          case when c.changed and i.item_group_id is null
            then ${titleSearch(tx, languages, { title: column("i.title_words"), words: column("concat(i.kind_words, ' ', i.look_words)"), nouns: column("i.head_nouns"), perhaps: column("i.perhaps_nouns"), called: column("i.title_nouns") })} end as title_search
        from incoming i
        left join lateral (
          select * from variants v where v.store_id = ${this.storeId} and v.variant_id = i.variant_id limit 1) v on true
        cross join lateral (select ${tx.unsafe(this.anew ? "true" : changed)} as changed) c
        offset 0) m`;
    await tx`truncate incoming`;
  }
}

/** What search, filters and cards read of a row. */
const read = [
  ...[
    "title",
    "item_group_title",
    "description",
    "brand",
    "mpn",
    "sku",
    "gtin",
    "color",
    "size",
    "material",
    "pattern",
    "product_type",
  ],
  ...["google_product_category", "tokens", "image_link", "rating_value", "rating_scale_max", "rating_count"],
];
const rowOf = (alias: string) => `(${read.map((column) => `${alias}.${column}`).join(", ")})`;
const changed = `v.id is null or v.vanished_at is not null or ${rowOf("i")} is distinct from ${rowOf("v")}`;

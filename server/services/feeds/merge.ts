// Staged rows into variants and products: set-based, in the load's transaction. Rows that stay keep their ids.
import { fold } from "../fold";
import type { LanguageCode } from "../languages";
import * as categories from "../store-categories";
import * as languages from "../store-languages";
import { lockStore } from "./index-version";
import * as leave from "./leave";
import { nextChange } from "./renewal";
import { dropDuplicates, dropSharedGtins } from "./repeats";
import { type Issues, MAX_ISSUES } from "./report";
import { fullSearch, indexed, titleSearch } from "./search-text";
import { sharedTitle } from "./title";
import type { Transaction } from "./transaction";

interface Merged {
  loaded: number;
  products: number;
  vanished: number;
  /** The last variant there was before: what this load brings has greater ids. */
  lastBefore: number;
}

interface Load {
  storeId: string;
  now: Date;
  issues: Issues;
  /** That its words are indexed in, beside English. */
  languages: readonly LanguageCode[];
  /** Id of a variant: what came after it, and the file does not have, goes altogether. */
  forgetAfter?: number | undefined;
}

/** Makes the staged rows the store's catalogue. Called once, in the load's transaction. */
export async function merge(tx: Transaction, load: Load): Promise<Merged> {
  const lastBefore = await lastVariant(tx);
  // Before duplicates go: a word stands only in the first row that has it.
  await tx`create temp table staged_words on commit drop as select distinct unnest(words) as word from staged`;
  await tx`create unique index on staged (position)`;
  await tx`analyze staged (position, variant_id, item_group_id)`;
  await tx`delete from staged where variant_id in (select variant_id from left_out where withheld)`;
  await dropDuplicates(tx, load.issues);
  await dropSharedGtins(tx, load.issues);
  await findLoneGroups(tx, load.issues);
  await numberVariants(tx, load);
  await leave.lockExcluded(tx, load.storeId);
  await matchProducts(tx, load.storeId);
  await nameProducts(tx);
  await describeGroups(tx);
  await insertProducts(tx, load);
  await insertVariants(tx, load.storeId);
  await renewStatistics(tx);
  await updateProducts(tx, load);
  await updateVariants(tx);
  await leave.deleteWithheld(tx, load.storeId);
  const vanished = await leave.markVanished(tx, load);
  if (load.forgetAfter !== undefined) await leave.forget(tx, load.storeId, load.forgetAfter);
  // In one order, so that loads of two stores wait for each other and never in a circle; and while the store is not locked yet.
  await tx`insert into search_words (word) select word from staged_words order by word on conflict do nothing`;
  await leave.lockEmpty(tx, load.storeId);
  await lockStore(tx, load.storeId);
  await leave.keepExcluded(tx, load);
  await leave.deleteEmpty(tx, load.storeId);
  await leave.countProducts(tx, load.storeId);
  await categories.update(tx, load);
  await languages.update(tx, load);
  const [counts] = await tx<{ loaded: number; products: number }[]>`
    select (select count(*)::int from staged) - (select count(*)::int from former) as loaded,
      (select count(*)::int from staged_products) as products`;
  // Else the searches that come next would read through what has gathered, or clear it up themselves.
  await tx`select gin_clean_pending_list(to_regclass('products_find'))`;
  return { ...counts!, vanished, lastBefore };
}

/**
 * What follows, and searches until autovacuum comes by, would be planned for the tables as they were: much too small, in a
 * first load. Autovacuum may even have found them empty, since it does not see what is not committed; until this load is
 * done, it will not look again.
 */
async function renewStatistics(tx: Transaction): Promise<void> {
  const [grown] = await tx<{ much: boolean }[]>`
    select n > 1000 and n > 0.2 * (select reltuples from pg_class where oid = 'products'::regclass) as much
    from (select count(*) as n from staged_products where is_new) p`;
  if (grown!.much) await tx`analyze products, variants`;
}

/** Some merchants put a category into item_group_id: its rows have no options, or all the same, and every title differs. Then it is none. */
async function findLoneGroups(tx: Transaction, issues: Issues): Promise<void> {
  await tx`
    create temp table lone_groups on commit drop as
    select item_group_id, count(*)::int as size, min(line) as line from staged where item_group_id is not null
    group by item_group_id having count(distinct lower(title)) = count(*)
      and (count(options) = 0 or (count(*) > 1 and count(options) = count(*) and count(distinct options) = 1))`;
  const lone = await tx<{ item_group_id: string; size: number; line: number; total: number }[]>`
    select *, count(*) over ()::int as total from lone_groups where size > 1 order by line limit ${MAX_ISSUES}`;
  for (const { item_group_id, size, line } of lone)
    issues.add(
      "warning",
      line,
      "item_group_id",
      item_group_id,
      `groups ${size} rows that no color, size or other variant attribute tells apart: each is taken as a product of its own`,
    );
  issues.addWarnings((lone[0]?.total ?? 0) - lone.length);
}

/** `staged_keys`: for each row its variant and its product, in few bytes. `foreign_currency`: where it is not the store's own. */
async function numberVariants(tx: Transaction, { storeId, now }: Load): Promise<void> {
  await tx`
    create temp table staged_keys on commit drop as
    select s.position, stock_level(s.availability) as stock, s.effective,
      nullif(s.currency, (select currency from stores where id = ${storeId})) as foreign_currency, s.known is null as is_new, s.known_product, s.changed, s.expires_at,
      ${nextChange(tx, "s", now)} as changes_at,
      coalesce(s.known, nextval(pg_get_serial_sequence('variants', 'id'))) as variant_ref,
      s.item_group_id is not null and g.item_group_id is null as grouped,
      case when s.item_group_id is null or g.item_group_id is not null then s.variant_id else s.item_group_id end as product_id
    from staged s left join lone_groups g on g.item_group_id = s.item_group_id`;
  await tx`create unique index on staged_keys (variant_ref)`;
  await tx`analyze staged_keys`;
}

/**
 * `staged_products`: for each product the variant that stands for it: the cheapest in stock, else the cheapest that can
 * be ordered, else the first that may come again, else the first; the cheapest in the store's currency before any other
 * (decision 0059). It has `changed` when a variant has, or has come, gone, or come to stand for it.
 */
async function matchProducts(tx: Transaction, storeId: string): Promise<void> {
  await tx`
    create temp table staged_products on commit drop as
    select p.*, o.id is null as is_new, coalesce(o.id, nextval(pg_get_serial_sequence('products', 'id'))) as product_ref,
      o.id is null or p.any_changed or o.primary_variant_ref is distinct from p.variant_ref
        or p.least_known is distinct from o.id or p.greatest_known is distinct from o.id
        or p.size <> (select count(*) from variants v where v.product_ref = o.id and v.vanished_at is null) as changed
    from (
      select distinct on (product_id) product_id, position, variant_ref, count(*) over product as size,
        min(position) over product as first, bool_or(changed) over product as any_changed, bool_or(grouped) over product as is_group,
        min(known_product) over product as least_known, max(known_product) over product as greatest_known,
        case when count(*) over product = 1 then expires_at else min(changes_at) over product end as renew_at
      from staged_keys window product as (partition by product_id)
      order by product_id, stock, case when stock < 2 then foreign_currency end nulls first,
        case when stock < 2 then effective end, position) p
    left join products o on o.store_id = ${storeId} and o.product_id = p.product_id
    order by p.first`;
  await tx`create index on staged_keys (product_id)`;
  await tx`create unique index on staged_products (product_ref)`;
  await tx`analyze staged_products`;
}

const TITLES = 5_000;

/** `staged_titles`: what products with variants are called: as the feed says, else what their titles share. */
async function nameProducts(tx: Transaction): Promise<void> {
  await tx`create temp table staged_titles (product_id text, title text, title_key text, title_words text) on commit drop`;
  let after = 0;
  for (;;) {
    const groups = await tx<
      {
        ref: number;
        id: string;
        least: string;
        greatest: string;
        shortest: number;
        shown: string;
        brand: string | null;
        given: string | null;
      }[]
    >`
      select p.product_ref as ref, p.product_id as id, min(s.title collate "C") as least, max(s.title collate "C") as greatest,
        min(length(s.title)) as shortest, min(s.title) filter (where s.position = p.position) as shown,
        min(s.brand) as brand, (array_agg(s.item_group_title order by s.position) filter (where s.item_group_title is not null))[1] as given
      from (select * from staged_products where size > 1 and changed and product_ref > ${after} order by product_ref limit ${TITLES}) p
      join staged_keys k on k.product_id = p.product_id join staged s on s.position = k.position
      group by 1, 2 order by 1`;
    const last = groups.at(-1);
    if (!last) return;
    const titles = groups.map((group) => group.given ?? sharedTitle(group));
    await tx`insert into staged_titles select * from unnest(
      ${groups.map((group) => group.id)}::text[], ${titles}::text[], ${titles.map(fold)}::text[],
      ${titles.map(indexed)}::text[])`;
    after = last.ref;
  }
}

/** `staged_groups`: what the variants of a product bring together. */
async function describeGroups(tx: Transaction): Promise<void> {
  await tx`
    create temp table staged_groups on commit drop as
    select p.product_id,
      concat(string_agg(distinct s.look_words, ' '), ' ', string_agg(distinct s.title_words, ' ')) as words,
      string_agg(distinct s.code_words, ' ') as codes,
      (array_agg(s.image_link order by s.position) filter (where s.image_link is not null))[1] as image_link,
      (array_agg(s.position order by s.rating_count desc nulls last, s.rating_value desc nulls last, s.position))[1] as rated
    from staged_products p join staged_keys k on k.product_id = p.product_id join staged s on s.position = k.position
    where p.size > 1 and p.changed group by p.product_id`;
  await tx`
    create temp table staged_tokens on commit drop as
    select p.product_id, array_agg(distinct token) as tokens
    from staged_products p join staged_keys k on k.product_id = p.product_id join staged s on s.position = k.position
      cross join unnest(s.tokens) token
    where p.size > 1 and p.changed group by p.product_id`;
}

/** The columns of `products` that follow from the primary variant's offer, and those that follow from words. */
const offers = names(`item_group_id primary_variant_ref condition link brand product_type google_product_category
  currency price_amount sale_price_amount sale_starts_at sale_ends_at availability availability_date expires_at renew_at data_as_of`);
const wordings = names(
  `title title_key image_link rating_value rating_scale_max rating_count tokens title_search search`,
);
/** The columns of `variants` that are a row's own. */
const carried =
  names(`variant_id item_group_id item_group_title position title description link image_link additional_image_links brand
  gtin mpn sku condition product_type google_product_category color size material pattern age_group gender attributes
  tokens currency price_amount sale_price_amount sale_starts_at sale_ends_at availability availability_date expires_at
  seller shipping unit_pricing_measure rating_value rating_scale_max rating_count data_as_of`);

function names(list: string): string[] {
  return list.split(/\s+/);
}
const list = (tx: Transaction, columns: string[]) => tx.unsafe(columns.join(", "));
const assigned = (tx: Transaction, columns: string[]) =>
  tx.unsafe(columns.map((column) => `${column} = n.${column}`).join(", "));

/** `offers`, from the staged rows. A group that was not taken as one is named nowhere: agents would see variants in it. */
const derivedOffers = (tx: Transaction) => tx`
  case when p.is_group then p.product_id end as item_group_id, p.variant_ref as primary_variant_ref, s.condition, s.link, s.brand, s.product_type,
  s.google_product_category, s.currency, s.price_amount, s.sale_price_amount, s.sale_starts_at, s.sale_ends_at, s.availability, s.availability_date, s.expires_at, p.renew_at, s.data_as_of`;

/** Every column of products that are new, or are not. What stands alone in the feed has been indexed with its row. */
const derived = (tx: Transaction, { languages }: Load, isNew: boolean) => tx`
  select d.*, case when d.indexed then d.row_search
    else ${fullSearch(tx, languages, { titleSearch: tx.unsafe("d.title_search"), codes: tx.unsafe("d.codes"), text: tx.unsafe("d.text") })} end as search
  from (
    select p.product_ref as id, p.product_id, ${derivedOffers(tx)},
      coalesce(t.title, s.title) as title, coalesce(t.title_key, s.title_key) as title_key, coalesce(s.image_link, g.image_link) as image_link,
      r.rating_value, r.rating_scale_max, r.rating_count, coalesce(u.tokens, s.tokens) as tokens,
      p.size = 1 and s.search is not null as indexed, s.search as row_search,
      case when p.size = 1 and s.search is not null then s.title_search
        else ${titleSearch(tx, languages, { title: tx.unsafe("coalesce(t.title_words, s.title_words)"), words: tx`concat_ws(' ', s.kind_words, s.look_words, g.words)`, nouns: tx.unsafe("s.head_nouns"), perhaps: tx.unsafe("s.perhaps_nouns"), called: tx.unsafe("s.title_nouns") })}
        end as title_search,
      coalesce(g.codes, s.code_words) as codes, s.text_words as text
    from staged_products p join staged s on s.position = p.position
    left join staged_titles t on t.product_id = p.product_id
    left join staged_groups g on g.product_id = p.product_id
    left join staged_tokens u on u.product_id = p.product_id
    left join staged r on r.position = coalesce(g.rated, p.position)
    where p.changed and p.is_new = ${isNew} offset 0) d`;

async function insertProducts(tx: Transaction, load: Load): Promise<void> {
  const { storeId, now } = load;
  const all = list(tx, [...offers, ...wordings]);
  await tx`
    insert into products (id, store_id, product_id, excluded, created_at, ${all}) overriding system value
    select id, ${storeId}::uuid, product_id, product_id in (${leave.excludedIn(tx, storeId)}), ${now}::timestamptz, ${all}
    from (${derived(tx, load, true)}) n`;
}

async function updateProducts(tx: Transaction, load: Load): Promise<void> {
  await tx`
    update products o set vanished_at = null, ${assigned(tx, [...offers, ...wordings])}
    from (${derived(tx, load, false)}) n where o.id = n.id`;
  await tx`
    update products o set ${assigned(tx, offers)}
    from (select p.product_ref as id, ${derivedOffers(tx)}
      from staged_products p join staged s on s.position = p.position where not p.changed) n where o.id = n.id`;
}

/** Rows that are new, or are not, with their product. */
const rowsOf = (tx: Transaction, isNew: boolean) => tx`
  select k.variant_ref as id, p.product_ref, ${tx.unsafe(carried.map((column) => `s.${column}`).join(", "))}
  from staged s join staged_keys k on k.position = s.position join staged_products p on p.product_id = k.product_id
  where k.is_new = ${isNew}`;

async function insertVariants(tx: Transaction, storeId: string): Promise<void> {
  await tx`
    insert into variants (id, product_ref, store_id, ${list(tx, carried)}) overriding system value
    select id, product_ref, ${storeId}::uuid, ${list(tx, carried)} from (${rowsOf(tx, true)}) n`;
}

async function updateVariants(tx: Transaction): Promise<void> {
  await tx`
    update variants v set vanished_at = null, product_ref = n.product_ref, ${assigned(tx, carried)}
    from (${rowsOf(tx, false)}) n where v.id = n.id`;
}

/** The last id given out; a database restored by a release of before has a sequence that gave none yet. */
async function lastVariant(tx: Transaction): Promise<number> {
  const [{ last }] = await tx<[{ last: number }]>`
    select greatest(pg_sequence_last_value(pg_get_serial_sequence('variants', 'id')), (select max(id) from variants), 0) as last`;
  return last;
}

// One product with its variants, options, shipping and return policy.
import type { Shipping } from "../../../db/schema/catalog";
import type { ReturnPolicy } from "../../../db/schema/merchants";
import type { Consumer, Ctx } from "../../context";
import { DomainError } from "../../errors";
import { readable, storeNotAvailable } from "../coverage";
import { alsoVariant, itemById, productNotFound } from "../product-refs";
import {
  type Card,
  type CardRow,
  type Condition,
  card,
  cardColumns,
  cheapestFirst,
  type Fragment,
  goneNow,
  priceRange,
  saleNow,
  standing,
  stockNow,
} from "./card";
import { info, type Message, warning } from "./messages";
import {
  type Label,
  type Option,
  optionNames,
  options,
  selection,
  stockOf,
  unknownChoices,
  type VariantRow,
} from "./variants";

interface GetProduct {
  storeId: string;
  /** The merchant's id of a product or of one of its variants; or a GTIN of 8 to 14 digits. */
  of: { productId: string } | { gtin: string };
  selected?: Label[] | undefined;
  /** To write amounts in: a BCP 47 tag. */
  language?: string | undefined;
}

/** What only one variant at a time is shown with. */
export interface Details {
  description: string | null;
  additional_image_link: string[];
  mpn: string | null;
  sku: string | null;
  condition: Condition;
  product_type: string[] | null;
  google_product_category: string[] | null;
  shipping: Shipping[];
  unit_pricing_measure: string | null;
}

export interface Product {
  card: Card;
  /** The variant that is shown: asked for or selected, else the cheapest to be had. */
  variant: VariantRow;
  details: Details;
  options: Option[];
  optionNames: string[];
  /** At most 50: the one that is shown, then those that fit the selection. */
  variants: VariantRow[];
  returnPolicy: ReturnPolicy | null;
  messages: Message[];
}

/** Of one product; shops allow some 2,000. */
const MOST_VARIANTS = 5_000;
const MOST_SHOWN = 50;

type ProductRow = {
  /** The store's. */
  currency: string;
  return_policy: ReturnPolicy | null;
  product: CardRow | null;
  primary_ref: number | null;
  variant_ref: number | null;
  /** At most `MOST_VARIANTS` of them, those asked for and usually shown included. */
  variants: VariantRow[];
  variant_count: number;
  details: (Details & { ref: number }) | null;
};

/** @throws DomainError store_not_available, product_not_found */
export async function get(ctx: Ctx<Consumer>, input: GetProduct): Promise<Product> {
  // A load may take the variant away between two statements: what is there afterwards is as good an answer.
  const found = (await attempt(ctx, input)) ?? (await attempt(ctx, input));
  if (!found) throw notThere(input);
  return found;
}

/** Undefined where what it read of is gone by its second statement. */
async function attempt(ctx: Ctx<Consumer>, input: GetProduct): Promise<Product | undefined> {
  const row = await read(ctx, input);
  const unknown = unknownChoices(row.variants, input.selected ?? []);
  const selected = (input.selected ?? []).filter((choice) => !unknown.some((one) => one.choice === choice));
  const fitting = selection(row.variants, selected, row.currency);
  const byId = row.variants.find(({ ref }) => ref === row.variant_ref);
  const usual = usualOf(row);
  const preferred = byId ?? usual;
  const variant = fitting.includes(preferred) ? preferred : (fitting[0] ?? preferred);
  const explicit = byId !== undefined || (selected.length > 0 && fitting.length > 0);
  const offer = explicit ? variant : variant.ref === row.primary_ref ? {} : { ...variant, title: row.product.title };
  const details = row.details?.ref === variant.ref ? row.details : await detailsOf(ctx, variant.ref);
  if (!details) return undefined;
  const names = optionNames(row.variants);
  const shown = [...new Set([variant, ...fitting, ...row.variants])].slice(0, MOST_SHOWN);
  return {
    card: card({ ...row.product, ...offer }, ctx.actor, input.language),
    variant,
    details,
    options: options(row.variants, names, selected),
    optionNames: names,
    variants: shown,
    returnPolicy: row.return_policy,
    messages: [
      ...namesakes(input, row, variant),
      ...unknown.map(({ choice, labels }) => leftOut(choice, labels, names, row)),
      ...remarks(row, fitting),
    ],
  };
}

/** The variant that stands for the product; another one when its offer has just ended and there is a better one. */
function usualOf({
  variants,
  primary_ref,
  currency,
}: Pick<ProductRow, "variants" | "primary_ref" | "currency">): VariantRow {
  const primary = variants.find(({ ref }) => ref === primary_ref);
  const best = selection(variants, [], currency)[0]!;
  return primary && stockOf(primary) <= stockOf(best) ? primary : best;
}

/** @param shown the variant that is */
function namesakes({ of }: GetProduct, { variants, variant_ref }: ProductRow, shown: VariantRow): Message[] {
  if ("gtin" in of || variant_ref !== null || shown.variant_id === of.productId) return [];
  return variants.some(({ variant_id }) => variant_id === of.productId)
    ? [alsoVariant(of.productId, "product_id")]
    : [];
}

type Counted = Pick<ProductRow, "variants" | "variant_count">;

const MOST_LABELS = 20;

/** @param labels that variants have of this name  @param names of the product's options */
function leftOut(
  { name, label }: Label,
  labels: readonly string[],
  names: readonly string[],
  { variants, variant_count }: Counted,
): Message {
  const none = variants.length < variant_count ? `None of the ${variants.length} variants looked at` : "No variant";
  const options = names.length > 0 ? `Its options are ${names.join(", ")}.` : "It has no options.";
  const content =
    labels.length > 0
      ? `${none} has ${name} "${label}"; it was ignored. Choose from ${labels.slice(0, MOST_LABELS).join(", ")}${labels.length > MOST_LABELS ? " and more" : ""}.`
      : `The product has no option "${name}"; it was ignored. ${options}`;
  return warning("unknown_option", content, "selected");
}

function remarks({ variant_count: count }: Counted, fitting: readonly VariantRow[]): Message[] {
  const messages: Message[] = [];
  if (fitting.length === 0)
    messages.push(
      warning(
        "no_such_variant",
        "No variant has everything selected. In options, exists shows what goes with the rest of the selection.",
        "selected",
      ),
    );
  if (count > MOST_SHOWN)
    messages.push(
      info(
        "answer_shortened",
        `${MOST_SHOWN} of ${count} variants are listed, those that fit first; narrow them down with selected.`,
        "selected",
      ),
    );
  return messages;
}

async function read(ctx: Ctx<Consumer>, input: GetProduct) {
  const { sql, now, actor } = ctx;
  const item = "gtin" in input.of ? withGtin(ctx, input.of.gtin) : itemById(sql, input.of.productId);
  const [row] = await sql<[ProductRow?]>`
    select s.currency, s.return_policy, item.variant_ref, p.primary_variant_ref as primary_ref, variants.list as variants, variants.count as variant_count,
      (select to_json(product) from (select ${cardColumns(sql, now)}) product where p.id is not null) as product,
      (select to_json(details) from (${details(ctx)} where v.id = coalesce(item.variant_ref, p.primary_variant_ref)) details) as details
    from stores s left join lateral (${item}) item on true left join products p on p.id = item.product_ref
    left join lateral ${standing(sql, sql`s.currency`, now)} v on true left join lateral ${priceRange(sql, now)} on true
    left join lateral (
      select coalesce(json_agg(variant order by position), '[]') as list, coalesce(max(count), 0)::int as count from (
        select v.id as ref, v.variant_id, v.title, coalesce(v.brand, p.brand) as brand, v.link, coalesce(v.image_link, p.image_link) as image_link, v.gtin, v.color, v.size, v.material, v.pattern,
          v.gender, v.age_group, v.attributes, v.currency, v.price_amount, ${saleNow(sql, "v", now)} as sale_amount,
          case when ${goneNow(sql, now)} then 'discontinued' else v.availability end as availability, v.availability_date,
          v.data_as_of, v.position, count(*) over () as count
        from variants v where v.product_ref = p.id
          and (v.vanished_at is null or p.vanished_at is not null or v.id = item.variant_ref)
        order by v.id = item.variant_ref desc nulls last, v.id = p.primary_variant_ref desc nulls last, v.position
        limit ${MOST_VARIANTS}) variant) variants on true
    where s.id = ${input.storeId} and ${readable(sql, actor)}`;
  if (!row) throw storeNotAvailable();
  const { product, ...rest } = row;
  if (product === null || row.variants.length === 0) throw notThere(input);
  return { ...rest, product };
}

/** SQL, like `itemById`: the store's variant with a GTIN, as `lookup` takes it: in stock first, then the cheapest. */
const withGtin = ({ sql, now }: Ctx<Consumer>, gtin: string): Fragment => sql`
  select v.product_ref, v.id as variant_ref from variants v join products p on p.id = v.product_ref
  where v.gtin = ${gtin.padStart(14, "0")} and v.store_id = s.id and not p.excluded
  order by ${stockNow(sql, now)}, v.vanished_at desc nulls first, ${cheapestFirst(sql, sql`s.currency`, now)}, v.id limit 1`;

const notThere = ({ of }: GetProduct) => ("gtin" in of ? gtinNotFound(of.gtin) : productNotFound(of.productId));

const gtinNotFound = (gtin: string) =>
  new DomainError(
    "product_not_found",
    `The store has no product with the GTIN ${gtin}. Check the digits, try all stores with lookup_products, or search by name with search_products.`,
  );

const details = ({ sql }: Ctx<Consumer>): Fragment => sql`
  select v.id as ref, v.description, v.additional_image_links as additional_image_link, v.mpn, v.sku, v.condition,
    v.product_type, v.google_product_category, v.shipping, v.unit_pricing_measure from variants v`;

async function detailsOf(ctx: Ctx<Consumer>, ref: number): Promise<Details | undefined> {
  const [row] = await ctx.sql<Details[]>`${details(ctx)} where v.id = ${ref}`;
  return row;
}

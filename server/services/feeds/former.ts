// A row that is wrong is no row that is gone: what was loaded of it before, in the form in which a file's rows come.
import type { Attribute, Shipping } from "../../../db/schema/catalog";
import { named } from "./category";
import { isMeasure, type Look, optionsText } from "./detail";
import type { Offer } from "./offer";
import { besideColumns, tokensOf } from "./token";
import type { Transaction } from "./transaction";
import type { Availability, Condition } from "./vocabulary";

interface Former {
  offer: Offer;
  position: number;
  tokens: string[];
  dataAsOf: Date;
}

const PAGE = 1_000;

/**
 * `former`: of the rows with an error, the variants that the store still offers. A row with the same id that is right, or
 * withheld from agents, counts before it.
 * @param last of the variants that count
 */
export async function* formerOffers(
  tx: Transaction,
  storeId: string,
  last = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Former> {
  await tx`
    create temp table former on commit drop as
    select v.id, max(l.position) as position, max(l.line) as line
    from left_out l join variants v on v.store_id = ${storeId} and v.variant_id = l.variant_id
    where v.vanished_at is null and v.id <= ${last} and not exists (select from staged s where s.variant_id = l.variant_id)
    group by v.id having not bool_or(l.withheld)`;
  await tx`create unique index on former (id)`;
  for (let after = 0; ; ) {
    const rows = await tx<Row[]>`
      select v.*, f.position, f.line, coalesce(p.item_group_id = v.item_group_id, false) as grouped
      from former f join variants v on v.id = f.id join products p on p.id = v.product_ref
      where f.id > ${after} order by f.id limit ${PAGE}`;
    for (const row of rows) {
      const { position, tokens, data_as_of } = row;
      const offer = offerOf(row);
      yield { offer, position, tokens: tokensOf(offer, besideColumns(offer, tokens)), dataAsOf: data_as_of };
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

interface Row {
  id: number;
  position: number;
  line: number;
  grouped: boolean;
  variant_id: string;
  item_group_id: string | null;
  item_group_title: string | null;
  title: string;
  description: string | null;
  link: string;
  image_link: string | null;
  additional_image_links: string[];
  brand: string | null;
  gtin: string | null;
  mpn: string | null;
  sku: string | null;
  condition: Condition;
  product_type: string[] | null;
  google_product_category: string[] | null;
  color: string | null;
  size: string | null;
  material: string | null;
  pattern: string | null;
  age_group: string | null;
  gender: string | null;
  attributes: Attribute[];
  tokens: string[];
  currency: string;
  price_amount: number;
  sale_price_amount: number | null;
  sale_starts_at: Date | null;
  sale_ends_at: Date | null;
  availability: Availability;
  availability_date: Date | null;
  expires_at: Date | null;
  seller: string | null;
  shipping: Shipping[];
  unit_pricing_measure: string | null;
  rating_value: number | null;
  rating_scale_max: number | null;
  rating_count: number | null;
  data_as_of: Date;
}

/**
 * As they were read. Of a detail that is called as a measure is, it is not known which one it was: where the row was of a group, it may
 * have been what set it apart.
 */
function optionsOf({ grouped, attributes, ...row }: Row): string | undefined {
  const details = grouped ? attributes : attributes.filter((attribute) => !isMeasure(attribute));
  return optionsText(lookOf(row), details) ?? (grouped ? "a group" : undefined);
}

const lookOf = ({
  age_group,
  ...row
}: Pick<Row, "color" | "size" | "material" | "pattern" | "age_group" | "gender">): Look => ({
  color: row.color ?? undefined,
  size: row.size ?? undefined,
  material: row.material ?? undefined,
  pattern: row.pattern ?? undefined,
  ageGroup: age_group ?? undefined,
  gender: row.gender ?? undefined,
});

/** What it has beside its columns is in its tokens (`besideColumns`). */
const offerOf = (row: Row): Offer => ({
  line: row.line,
  id: row.variant_id,
  itemGroupId: row.item_group_id ?? undefined,
  itemGroupTitle: row.item_group_title ?? undefined,
  title: row.title,
  description: row.description ?? undefined,
  link: row.link,
  images: { main: row.image_link ?? undefined, more: row.additional_image_links },
  brand: row.brand ?? undefined,
  gtin: row.gtin ?? undefined,
  mpn: row.mpn ?? undefined,
  sku: row.sku ?? undefined,
  condition: row.condition,
  categories: {
    productType: row.product_type ?? undefined,
    otherProductTypes: [],
    googleProductCategory: row.google_product_category ? named(row.google_product_category) : undefined,
    googleCategoryId: undefined,
  },
  look: lookOf(row),
  attributes: row.attributes,
  options: optionsOf(row),
  cost: {
    currency: row.currency,
    price: row.price_amount,
    sale:
      row.sale_price_amount === null
        ? undefined
        : { price: row.sale_price_amount, start: row.sale_starts_at ?? undefined, end: row.sale_ends_at ?? undefined },
  },
  stock: {
    availability: row.availability,
    availabilityDate: row.availability_date ?? undefined,
    expiresAt: row.expires_at ?? undefined,
  },
  seller: row.seller ?? undefined,
  shipping: row.shipping,
  unitPricingMeasure: row.unit_pricing_measure ?? undefined,
  rating:
    row.rating_value === null
      ? undefined
      : { value: row.rating_value, scaleMax: row.rating_scale_max!, count: row.rating_count ?? undefined },
});

-- Sixteen products that came one after the other share a slice: an index reads lists that come in runs in half the time. What
-- was written before keeps its slice until it is written again; the order of a search is that of the slices as they stand.
CREATE OR REPLACE FUNCTION product_marks(id bigint, store_id uuid, availability text, price_amount bigint, sale_price_amount bigint, rating_value real, rating_scale_max smallint)
RETURNS int[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_remove(ARRAY[
  store_mark(store_id),
  32 * stock_level(availability) + (id / 16 % 32)::int,
  256 + price_step(price_amount),
  256 + price_step(sale_price_amount),
  CASE WHEN sale_price_amount IS NOT NULL THEN 512 END,
  768 + (id % 32)::int,
  1024 + 64 * stock_level(availability) + coalesce(round(rating_value / rating_scale_max * 5000)::int / 100, 63),
  2048 + (id / 4096)::int], NULL);

DROP INDEX "products_expiring";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "renew_at" timestamp with time zone;--> statement-breakpoint
-- Of what is there nobody knows what has begun or ended since it was loaded: the job looks at it once.
UPDATE products p SET renew_at = CASE WHEN n.size = 1 THEN p.expires_at ELSE now() END
FROM (SELECT product_ref, count(*) AS size FROM variants WHERE vanished_at IS NULL GROUP BY product_ref
  HAVING bool_or(coalesce(sale_starts_at, sale_ends_at, expires_at) IS NOT NULL)) n
WHERE p.id = n.product_ref AND (n.size > 1 OR p.expires_at IS NOT NULL);--> statement-breakpoint
CREATE INDEX "products_due" ON "products" USING btree ("renew_at") WHERE "products"."renew_at" is not null;--> statement-breakpoint
-- What is sent to a part of a country alone is no longer stored: it was taken for the whole of it.
UPDATE variants SET shipping = jsonb_path_query_array(shipping, '$[*] ? (!exists(@.region))') WHERE shipping @? '$[*].region';

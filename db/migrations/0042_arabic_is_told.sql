-- As the next load of each store would find it: looked up before anything is locked, since that takes a while where there are many.
CREATE TEMPORARY TABLE "arabic" ON COMMIT DROP AS SELECT "id" FROM "stores" WHERE "languages" = '{}' AND (
  SELECT count(*) > 0 AND count(*) FILTER (WHERE title ~ '[\u0621-\u064A]') * 4 >= count(*) FROM (
    SELECT title FROM products p WHERE p.store_id = stores.id AND p.vanished_at IS NULL AND NOT p.excluded LIMIT 200) titles);--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "writes_arabic" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "stores" SET "writes_arabic" = true, "updated_at" = now() WHERE "id" IN (SELECT "id" FROM "arabic");--> statement-breakpoint
ALTER TABLE "stores" drop column "info";--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "info" text GENERATED ALWAYS AS (store_info(id, name, legal_name, url, logo, description, address, country, currencies, coalesce(nullif(languages, '{}'), case when writes_arabic then index_languages || '{ar}'::text[] else index_languages end), contact_point, opening_hours, payment_accepted, shipping_policy, return_policy, links, categories, is_demo, updated_at)) STORED NOT NULL;
ALTER TABLE "consumers" ALTER COLUMN "name" SET DATA TYPE text collate "und-x-icu";--> statement-breakpoint
ALTER TABLE "merchants" ALTER COLUMN "name" SET DATA TYPE text collate "und-x-icu";--> statement-breakpoint
-- What is generated from a column holds it as it is.
ALTER TABLE "stores" DROP COLUMN "info";--> statement-breakpoint
ALTER TABLE "stores" ALTER COLUMN "name" SET DATA TYPE text collate "und-x-icu";--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "info" text GENERATED ALWAYS AS (store_info(id, name, legal_name, url, logo, description, address, country, currencies, coalesce(nullif(languages, '{}'), index_languages), contact_point, opening_hours, payment_accepted, shipping_policy, return_policy, links, categories, is_demo, updated_at)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "item_group_title" text;

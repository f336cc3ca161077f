-- What drizzle-kit cannot express (extensions, text search, partitions, triggers, storage) stands in this file beside what it generated.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle (COPY = english);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle ALTER MAPPING FOR word, asciiword, hword, asciihword, hword_part, hword_asciipart WITH unaccent, english_stem;--> statement-breakpoint
-- A price's place on a scale of quarter octaves: 0 for nothing, then four steps for each doubling.
CREATE FUNCTION price_step(amount bigint) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN floor(4 * ln((amount + 1)::float8) / ln(2::float8))::int;--> statement-breakpoint
CREATE FUNCTION stock_level(availability text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE availability WHEN 'in_stock' THEN 0 WHEN 'out_of_stock' THEN 2 WHEN 'discontinued' THEN 3 ELSE 1 END;--> statement-breakpoint
CREATE FUNCTION store_mark(store_id uuid) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN -1 - (uuid_hash(store_id) & 2147483646);--> statement-breakpoint
-- What the products_find index knows of a product beside its words and tokens; server/services/catalog/marks.ts reads it.
CREATE FUNCTION product_marks(id bigint, store_id uuid, availability text, price_amount bigint, sale_price_amount bigint, rating_value real, rating_scale_max smallint)
RETURNS int[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_remove(ARRAY[
  store_mark(store_id),
  32 * stock_level(availability) + (id % 32)::int,
  256 + price_step(price_amount),
  256 + price_step(sale_price_amount),
  CASE WHEN sale_price_amount IS NOT NULL THEN 512 END,
  768 + (id % 32)::int,
  1024 + 64 * stock_level(availability) + coalesce(round(rating_value / rating_scale_max * 5000)::int / 100, 63),
  2048 + (id / 4096)::int], NULL);--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"email_verified_at" timestamp with time zone,
	"is_operator" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_email_unique" UNIQUE("email"),
	CONSTRAINT "accounts_email_normalised" CHECK ("accounts"."email" = lower(btrim("accounts"."email")) and position('@' in "accounts"."email") > 1)
);
--> statement-breakpoint
CREATE TABLE "feed_loads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"store_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"outcome" text NOT NULL,
	"rows" integer NOT NULL,
	"loaded" integer NOT NULL,
	"rejected" integer NOT NULL,
	"vanished" integer NOT NULL,
	"issues" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"store_id" uuid NOT NULL,
	"excluded" boolean DEFAULT false NOT NULL,
	"price_amount" bigint NOT NULL,
	"sale_price_amount" bigint,
	"sale_starts_at" timestamp with time zone,
	"sale_ends_at" timestamp with time zone,
	"rating_value" real,
	"rating_scale_max" smallint,
	"rating_count" integer,
	"currency" char(3) NOT NULL,
	"availability" text NOT NULL,
	"brand" text,
	"product_type" text[],
	"google_product_category" text[],
	"marks" integer[] GENERATED ALWAYS AS (product_marks(id, store_id, availability, price_amount, sale_price_amount, rating_value, rating_scale_max)) STORED NOT NULL,
	"title_key" text NOT NULL,
	"title_search" "tsvector" NOT NULL,
	"product_id" text NOT NULL,
	"item_group_id" text,
	"primary_variant_ref" bigint,
	"title" text NOT NULL,
	"condition" text NOT NULL,
	"image_link" text,
	"link" text NOT NULL,
	"availability_date" timestamp with time zone,
	"tokens" text[] NOT NULL,
	"search" "tsvector" NOT NULL,
	"vanished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"data_as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "products_prices" CHECK ("products"."price_amount" >= 0 and "products"."sale_price_amount" >= 0),
	CONSTRAINT "products_availability" CHECK ("products"."availability" in ('in_stock','out_of_stock','preorder','backorder','discontinued')),
	CONSTRAINT "products_condition" CHECK ("products"."condition" in ('new','refurbished','used'))
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text COLLATE "C" PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "variants" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "variants_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"store_id" uuid NOT NULL,
	"product_ref" bigint NOT NULL,
	"variant_id" text NOT NULL,
	"item_group_id" text,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"link" text NOT NULL,
	"image_link" text,
	"additional_image_links" text[] DEFAULT '{}' NOT NULL,
	"brand" text,
	"gtin" char(14),
	"mpn" text,
	"sku" text,
	"condition" text NOT NULL,
	"product_type" text[],
	"google_product_category" text[],
	"color" text,
	"size" text,
	"material" text,
	"pattern" text,
	"age_group" text,
	"gender" text,
	"attributes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tokens" text[] NOT NULL,
	"currency" char(3) NOT NULL,
	"price_amount" bigint NOT NULL,
	"sale_price_amount" bigint,
	"sale_starts_at" timestamp with time zone,
	"sale_ends_at" timestamp with time zone,
	"availability" text NOT NULL,
	"availability_date" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"seller" text,
	"shipping" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"unit_pricing_measure" text,
	"rating_value" real,
	"rating_scale_max" smallint,
	"rating_count" integer,
	"vanished_at" timestamp with time zone,
	"data_as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "variants_prices" CHECK ("variants"."price_amount" >= 0 and "variants"."sale_price_amount" >= 0),
	CONSTRAINT "variants_gtin_digits" CHECK ("variants"."gtin" ~ '^[0-9]{14}$'),
	CONSTRAINT "variants_sale_window" CHECK ("variants"."sale_ends_at" > "variants"."sale_starts_at"),
	CONSTRAINT "variants_availability" CHECK ("variants"."availability" in ('in_stock','out_of_stock','preorder','backorder','discontinued')),
	CONSTRAINT "variants_condition" CHECK ("variants"."condition" in ('new','refurbished','used'))
);
--> statement-breakpoint
CREATE TABLE "applications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid,
	"consumer_id" uuid NOT NULL,
	"product_name" text NOT NULL,
	"company" text NOT NULL,
	"website" text NOT NULL,
	"platform" text NOT NULL,
	"expected_requests_per_day" integer NOT NULL,
	"technical_contact_email" text NOT NULL,
	"shopper_use" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "applications_accountId_unique" UNIQUE("account_id"),
	CONSTRAINT "applications_consumerId_unique" UNIQUE("consumer_id")
);
--> statement-breakpoint
CREATE TABLE "consumers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"revoked_from" text,
	"tier" text GENERATED ALWAYS AS (case when coalesce(revoked_from, state) = 'production' then 'production' else 'sandbox' end) STORED NOT NULL,
	"coverage" text DEFAULT 'default_on' NOT NULL,
	"scopes" text[] NOT NULL,
	"rate_limit" integer NOT NULL,
	"max_keys" integer NOT NULL,
	"utm_source" text,
	"directory_slug" text,
	"terms_version" date,
	"decision_reason" text,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consumers_slug_unique" UNIQUE("slug"),
	CONSTRAINT "consumers_utmSource_unique" UNIQUE("utm_source"),
	CONSTRAINT "consumers_directorySlug_unique" UNIQUE("directory_slug"),
	CONSTRAINT "consumers_state" CHECK ("consumers"."state" in ('under_review','sandbox','production_requested','production','revoked')),
	CONSTRAINT "consumers_revoked_from" CHECK (("consumers"."state" = 'revoked') = ("consumers"."revoked_from" is not null) and "consumers"."revoked_from" <> 'revoked'),
	CONSTRAINT "consumers_coverage" CHECK ("consumers"."coverage" in ('default_on','explicit')),
	CONSTRAINT "consumers_slug" CHECK ("consumers"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length("consumers"."slug") <= 63),
	CONSTRAINT "consumers_directory_slug" CHECK ("consumers"."directory_slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length("consumers"."directory_slug") <= 63),
	CONSTRAINT "consumers_production_has_utm_source" CHECK ("consumers"."state" <> 'production' or "consumers"."utm_source" is not null),
	CONSTRAINT "consumers_limits" CHECK ("consumers"."rate_limit" between 1 and 1000000 and "consumers"."max_keys" between 0 and 1000),
	CONSTRAINT "consumers_scopes" CHECK ("consumers"."scopes" <@ array['catalog:read','offers:read','promotions:read','loyalty:read','inventory:read'])
);
--> statement-breakpoint
CREATE TABLE "members" (
	"consumer_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"role" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone,
	CONSTRAINT "members_consumer_id_account_id_pk" PRIMARY KEY("consumer_id","account_id"),
	CONSTRAINT "members_role" CHECK ("members"."role" in ('owner','developer','reviewer')),
	CONSTRAINT "members_reviewer_ends" CHECK (("members"."role" = 'reviewer') = ("members"."ends_at" is not null) and "members"."ends_at" <= "members"."granted_at" + interval '90 days')
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"approval_rule" text DEFAULT 'automatic_domain' NOT NULL,
	"sandbox_scopes" text[] DEFAULT '{"catalog:read","offers:read","promotions:read","loyalty:read"}' NOT NULL,
	"sandbox_rate_limit" integer DEFAULT 60 NOT NULL,
	"sandbox_max_keys" integer DEFAULT 2 NOT NULL,
	"playground_rate_limit" integer DEFAULT 30 NOT NULL,
	CONSTRAINT "settings_one_row" CHECK ("settings"."only"),
	CONSTRAINT "settings_approval_rule" CHECK ("settings"."approval_rule" in ('automatic_all','automatic_domain','manual'))
);
--> statement-breakpoint
CREATE TABLE "terms" (
	"version" date PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_by" uuid
);
--> statement-breakpoint
CREATE TABLE "terms_acceptances" (
	"consumer_id" uuid NOT NULL,
	"version" date NOT NULL,
	"account_id" uuid,
	"accepted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "terms_acceptances_consumer_id_version_pk" PRIMARY KEY("consumer_id","version")
);
--> statement-breakpoint
CREATE TABLE "inventory_levels" (
	"store_id" uuid NOT NULL,
	"variant_id" text NOT NULL,
	"location_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"low_stock_threshold" integer DEFAULT 5 NOT NULL,
	"restock_at" timestamp with time zone,
	"data_as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "inventory_levels_store_id_variant_id_location_id_pk" PRIMARY KEY("store_id","variant_id","location_id"),
	CONSTRAINT "inventory_levels_quantity" CHECK ("inventory_levels"."quantity" >= 0 and "inventory_levels"."low_stock_threshold" >= 0)
);
--> statement-breakpoint
CREATE TABLE "locations" (
	"store_id" uuid NOT NULL,
	"location_id" text NOT NULL,
	"name" text NOT NULL,
	"pickup" boolean NOT NULL,
	"address" text,
	CONSTRAINT "locations_store_id_location_id_pk" PRIMARY KEY("store_id","location_id")
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"consumer_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"start" text NOT NULL,
	"end" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"last_used_at" timestamp with time zone,
	"line" uuid NOT NULL,
	"superseded_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revoked_by" uuid,
	CONSTRAINT "keys_hash_unique" UNIQUE("hash"),
	CONSTRAINT "keys_hash_is_sha256" CHECK (octet_length("keys"."hash") = 32),
	CONSTRAINT "keys_name" CHECK (length("keys"."name") between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "loyalty_earning_rules" (
	"program_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"basis" text NOT NULL,
	"points_per_unit" numeric(10, 3) NOT NULL,
	"bonus_points" integer DEFAULT 0 NOT NULL,
	"product_type" text[],
	"brand" text,
	CONSTRAINT "loyalty_earning_rules_program_id_position_pk" PRIMARY KEY("program_id","position"),
	CONSTRAINT "loyalty_earning_rules_points" CHECK ("loyalty_earning_rules"."points_per_unit" >= 0 and "loyalty_earning_rules"."bonus_points" >= 0)
);
--> statement-breakpoint
CREATE TABLE "loyalty_programs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"store_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"terms_url" text NOT NULL,
	"is_primary" boolean NOT NULL,
	CONSTRAINT "loyalty_programs_name" UNIQUE("store_id","name")
);
--> statement-breakpoint
CREATE TABLE "loyalty_tiers" (
	"program_id" uuid NOT NULL,
	"name" text NOT NULL,
	"threshold_points" integer NOT NULL,
	"perks" text[] NOT NULL,
	"multiplier" numeric(6, 3) NOT NULL,
	CONSTRAINT "loyalty_tiers_program_id_threshold_points_pk" PRIMARY KEY("program_id","threshold_points"),
	CONSTRAINT "loyalty_tiers_name" UNIQUE("program_id","name"),
	CONSTRAINT "loyalty_tiers_numbers" CHECK ("loyalty_tiers"."threshold_points" >= 0 and "loyalty_tiers"."multiplier" > 0)
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"consumer_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "blocks_consumer_id_store_id_pk" PRIMARY KEY("consumer_id","store_id")
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"consumer_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "grants_consumer_id_store_id_pk" PRIMARY KEY("consumer_id","store_id")
);
--> statement-breakpoint
CREATE TABLE "merchant_members" (
	"merchant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchant_members_merchant_id_account_id_pk" PRIMARY KEY("merchant_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"ai_discovery" boolean DEFAULT true NOT NULL,
	"legal_name" text,
	"url" text NOT NULL,
	"logo" text,
	"description" text,
	"address" jsonb,
	"country" char(2) NOT NULL,
	"currency" char(3) NOT NULL,
	"currencies" text[] NOT NULL,
	"languages" text[] DEFAULT '{}' NOT NULL,
	"contact_point" jsonb,
	"opening_hours" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"payment_accepted" text[] DEFAULT '{}' NOT NULL,
	"shipping_policy" text,
	"return_policy" jsonb,
	"links" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stores_slug_unique" UNIQUE("slug"),
	CONSTRAINT "stores_slug" CHECK ("stores"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length("stores"."slug") <= 63),
	CONSTRAINT "stores_country" CHECK ("stores"."country" ~ '^[A-Z]{2}$'),
	CONSTRAINT "stores_currency" CHECK ("stores"."currency" ~ '^[A-Z]{3}$' and "stores"."currency" = any("stores"."currencies")),
	CONSTRAINT "stores_url" CHECK ("stores"."url" ~ '^https?://')
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" text NOT NULL,
	"recipient" text NOT NULL,
	"template" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"last_error" text,
	"dead_at" timestamp with time zone,
	CONSTRAINT "outbox_messageId_unique" UNIQUE("message_id")
);
--> statement-breakpoint
CREATE TABLE "policies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"store_id" uuid NOT NULL,
	"question" text NOT NULL,
	"answer" text NOT NULL,
	"policy_type" text NOT NULL,
	"source_url" text,
	"updated_at" timestamp with time zone NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('aisle', question), 'A') || setweight(to_tsvector('aisle', policy_type), 'B') || setweight(to_tsvector('aisle', answer), 'C')) STORED NOT NULL,
	CONSTRAINT "policies_type" CHECK ("policies"."policy_type" in ('shipping','returns','payment','warranty','privacy','faq','other'))
);
--> statement-breakpoint
CREATE TABLE "promotions" (
	"store_id" uuid NOT NULL,
	"promotion_id" text NOT NULL,
	"long_title" text NOT NULL,
	"generic_redemption_code" text,
	"percent_off" integer,
	"money_off_amount" bigint,
	"free_shipping" boolean DEFAULT false NOT NULL,
	"minimum_purchase_amount" bigint,
	"currency" char(3) NOT NULL,
	"product_ids" text[],
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"redemption_channel" text[] NOT NULL,
	"fine_print" text,
	"promotion_url" text,
	"stackable" boolean DEFAULT false NOT NULL,
	CONSTRAINT "promotions_store_id_promotion_id_pk" PRIMARY KEY("store_id","promotion_id"),
	CONSTRAINT "promotions_window" CHECK ("promotions"."ends_at" > "promotions"."starts_at"),
	CONSTRAINT "promotions_percent" CHECK ("promotions"."percent_off" between 1 and 100),
	CONSTRAINT "promotions_money" CHECK ("promotions"."money_off_amount" > 0 and "promotions"."minimum_purchase_amount" >= 0),
	CONSTRAINT "promotions_give_something" CHECK (num_nonnulls("promotions"."percent_off", "promotions"."money_off_amount") + "promotions"."free_shipping"::int >= 1),
	CONSTRAINT "promotions_channel" CHECK ("promotions"."redemption_channel" <@ array['online','in_store'] and cardinality("promotions"."redemption_channel") > 0),
	CONSTRAINT "promotions_product_ids" CHECK (cardinality("promotions"."product_ids") > 0)
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "usage_events" (
	"request_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"consumer_id" uuid NOT NULL,
	"key_id" uuid,
	"account_id" uuid,
	"endpoint" text NOT NULL,
	"method" text NOT NULL,
	"tool" text,
	"store_id" uuid,
	"status" smallint NOT NULL,
	"error_code" text,
	"latency_us" integer NOT NULL,
	"request_bytes" integer NOT NULL,
	"response_bytes" integer NOT NULL,
	"client_name" text,
	"locale" text,
	"country" text,
	"region" text,
	"city" text,
	"session_hash" "bytea",
	"subject_hash" "bytea",
	CONSTRAINT "usage_events_at_request_id_pk" PRIMARY KEY("at","request_id")
) PARTITION BY RANGE ("at");--> statement-breakpoint
CREATE TABLE "usage_events_default" PARTITION OF "usage_events" DEFAULT;
--> statement-breakpoint
ALTER TABLE "feed_loads" ADD CONSTRAINT "feed_loads_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variants" ADD CONSTRAINT "variants_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variants" ADD CONSTRAINT "variants_product_ref_products_id_fk" FOREIGN KEY ("product_ref") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms" ADD CONSTRAINT "terms_published_by_accounts_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_version_terms_version_fk" FOREIGN KEY ("version") REFERENCES "public"."terms"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inventory_levels" ADD CONSTRAINT "inventory_levels_store_id_location_id_locations_store_id_location_id_fk" FOREIGN KEY ("store_id","location_id") REFERENCES "public"."locations"("store_id","location_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_revoked_by_accounts_id_fk" FOREIGN KEY ("revoked_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loyalty_earning_rules" ADD CONSTRAINT "loyalty_earning_rules_program_id_loyalty_programs_id_fk" FOREIGN KEY ("program_id") REFERENCES "public"."loyalty_programs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loyalty_programs" ADD CONSTRAINT "loyalty_programs_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loyalty_tiers" ADD CONSTRAINT "loyalty_tiers_program_id_loyalty_programs_id_fk" FOREIGN KEY ("program_id") REFERENCES "public"."loyalty_programs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_members" ADD CONSTRAINT "merchant_members_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_members" ADD CONSTRAINT "merchant_members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stores" ADD CONSTRAINT "stores_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promotions" ADD CONSTRAINT "promotions_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_loads_store" ON "feed_loads" USING btree ("store_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "products_store_product" ON "products" USING btree ("store_id","product_id");--> statement-breakpoint
CREATE INDEX "products_find" ON "products" USING gin ("search","title_search",(ts_filter("title_search", '{a}')),"tokens","marks");--> statement-breakpoint
CREATE INDEX "products_title_key" ON "products" USING hash ("title_key");--> statement-breakpoint
CREATE INDEX "products_currency" ON "products" USING btree ("currency");--> statement-breakpoint
CREATE INDEX "search_words_trigrams" ON "search_words" USING gist ("word" gist_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "variants_store_variant" ON "variants" USING btree ("store_id","variant_id");--> statement-breakpoint
CREATE INDEX "variants_product" ON "variants" USING btree ("product_ref","position");--> statement-breakpoint
CREATE INDEX "variants_gtin" ON "variants" USING btree ("gtin","store_id") WHERE "variants"."gtin" is not null;--> statement-breakpoint
CREATE INDEX "members_account" ON "members" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "inventory_levels_location" ON "inventory_levels" USING btree ("store_id","location_id");--> statement-breakpoint
CREATE INDEX "keys_consumer" ON "keys" USING btree ("consumer_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "keys_one_active" ON "keys" USING btree ("line") WHERE revoked_at is null and superseded_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "keys_one_superseded" ON "keys" USING btree ("line") WHERE revoked_at is null and superseded_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "loyalty_programs_one_primary" ON "loyalty_programs" USING btree ("store_id") WHERE "loyalty_programs"."is_primary";--> statement-breakpoint
CREATE INDEX "blocks_store" ON "blocks" USING btree ("store_id");--> statement-breakpoint
CREATE INDEX "grants_store" ON "grants" USING btree ("store_id");--> statement-breakpoint
CREATE INDEX "merchant_members_account" ON "merchant_members" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "stores_one_demo" ON "stores" USING btree ("is_demo") WHERE "stores"."is_demo";--> statement-breakpoint
CREATE INDEX "stores_merchant" ON "stores" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "stores_name" ON "stores" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_target" ON "audit" USING btree ("target_kind","target_id","at");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "policies_store" ON "policies" USING btree ("store_id");--> statement-breakpoint
CREATE INDEX "promotions_store_ends" ON "promotions" USING btree ("store_id","ends_at","promotion_id");--> statement-breakpoint
CREATE INDEX "usage_events_consumer" ON "usage_events" USING btree ("consumer_id","at");--> statement-breakpoint
-- Ranking and facets read a few columns of every match: those stay in the row. `search` is found by its index and may live out of line.
ALTER TABLE "products" SET (toast_tuple_target = 768, fillfactor = 90);--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "search" SET STORAGE EXTERNAL, ALTER COLUMN "title_search" SET STORAGE MAIN, ALTER COLUMN "title_key" SET STORAGE MAIN,
  ALTER COLUMN "brand" SET STORAGE MAIN, ALTER COLUMN "product_type" SET STORAGE MAIN, ALTER COLUMN "google_product_category" SET STORAGE MAIN;--> statement-breakpoint
ALTER TABLE "rate_limits" SET (fillfactor = 50);--> statement-breakpoint
CREATE FUNCTION audit_is_insert_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit is insert-only' USING ERRCODE = 'insufficient_privilege';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_is_insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION audit_is_insert_only();

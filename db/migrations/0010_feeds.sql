CREATE TABLE "feed_file_parts" (
	"file_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "feed_file_parts_file_id_part_pk" PRIMARY KEY("file_id","part")
);
--> statement-breakpoint
CREATE TABLE "feed_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"store_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"digest" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"received_at" timestamp with time zone,
	CONSTRAINT "feed_files_whole" CHECK (("feed_files"."received_at" is null) = ("feed_files"."digest" is null))
);
--> statement-breakpoint
CREATE TABLE "feed_sources" (
	"store_id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"next_fetch_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"is_forced" boolean DEFAULT false NOT NULL,
	"etag" text,
	"last_modified" text,
	"digest" "bytea",
	"last_fetch_at" timestamp with time zone,
	"last_outcome" text,
	"last_error" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_sources_url" CHECK ("feed_sources"."url" ~ '^https?://' and length("feed_sources"."url") <= 2000),
	CONSTRAINT "feed_sources_outcome" CHECK ("feed_sources"."last_outcome" in ('fetched', 'unchanged', 'failed'))
);
--> statement-breakpoint
DROP INDEX "feed_loads_store";--> statement-breakpoint
ALTER TABLE "feed_loads" ALTER COLUMN "started_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ALTER COLUMN "finished_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "source" text DEFAULT 'import' NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "restores" uuid;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "file_id" uuid;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "requested_by" uuid;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "requested_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "bytes_read" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "products" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "warnings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "refusal" text;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "attempts" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "last_variant_ref" bigint;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD COLUMN "last_product_ref" bigint;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "feed_file_parts" ADD CONSTRAINT "feed_file_parts_file_id_feed_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."feed_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_files" ADD CONSTRAINT "feed_files_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_sources" ADD CONSTRAINT "feed_sources_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_sources" ADD CONSTRAINT "feed_sources_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_files_store" ON "feed_files" USING btree ("store_id");--> statement-breakpoint
CREATE UNIQUE INDEX "feed_files_one_coming" ON "feed_files" USING btree ("store_id") WHERE "feed_files"."received_at" is null;--> statement-breakpoint
CREATE INDEX "feed_sources_due" ON "feed_sources" USING btree ("next_fetch_at") WHERE "feed_sources"."next_fetch_at" is not null;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD CONSTRAINT "feed_loads_restores_feed_loads_id_fk" FOREIGN KEY ("restores") REFERENCES "public"."feed_loads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD CONSTRAINT "feed_loads_file_id_feed_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."feed_files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_loads" ADD CONSTRAINT "feed_loads_requested_by_accounts_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_loads_history" ON "feed_loads" USING btree ("store_id","id");--> statement-breakpoint
CREATE INDEX "feed_loads_loaded" ON "feed_loads" USING btree ("store_id","finished_at") WHERE "feed_loads"."outcome" = 'loaded';--> statement-breakpoint
CREATE INDEX "feed_loads_due" ON "feed_loads" USING btree ("requested_at") WHERE "feed_loads"."outcome" in ('waiting', 'loading');--> statement-breakpoint
CREATE UNIQUE INDEX "feed_loads_one_at_a_time" ON "feed_loads" USING btree ("store_id") WHERE "feed_loads"."outcome" in ('waiting', 'loading');--> statement-breakpoint
CREATE INDEX "feed_loads_file" ON "feed_loads" USING btree ("file_id") WHERE "feed_loads"."file_id" is not null;--> statement-breakpoint
CREATE INDEX "products_expiring" ON "products" USING btree ("expires_at") WHERE "products"."expires_at" is not null and "products"."availability" <> 'discontinued';--> statement-breakpoint
ALTER TABLE "feed_loads" ADD CONSTRAINT "feed_loads_outcome" CHECK ("feed_loads"."outcome" in ('waiting', 'loading', 'loaded', 'refused', 'failed'));--> statement-breakpoint
ALTER TABLE "feed_loads" ADD CONSTRAINT "feed_loads_source" CHECK ("feed_loads"."source" in ('upload', 'url', 'restore', 'import'));--> statement-breakpoint
ALTER TABLE "feed_loads" ADD CONSTRAINT "feed_loads_finished" CHECK (("feed_loads"."finished_at" is null) = ("feed_loads"."outcome" in ('waiting', 'loading')));--> statement-breakpoint
-- What is gzipped already needs no second try.
ALTER TABLE "feed_file_parts" ALTER COLUMN "data" SET STORAGE EXTERNAL;--> statement-breakpoint
UPDATE "feed_loads" SET "requested_at" = "started_at";--> statement-breakpoint
UPDATE "products" p SET "expires_at" = v.expires_at FROM "variants" v WHERE v.id = p.primary_variant_ref AND v.expires_at IS NOT NULL;

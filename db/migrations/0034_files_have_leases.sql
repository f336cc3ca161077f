ALTER TABLE "feed_files" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "feed_files" ADD COLUMN "is_fetched" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Of a database that had been restored, loads said that there had been no variant before: what there was is not known.
UPDATE "feed_loads" SET "last_variant_ref" = NULL WHERE "last_variant_ref" = 0;

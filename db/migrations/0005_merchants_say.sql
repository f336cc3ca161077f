ALTER TABLE "merchant_members" ADD COLUMN "digest" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_events" ADD COLUMN "product_ids" text[];--> statement-breakpoint
CREATE INDEX "products_excluded" ON "products" USING btree ("store_id","product_id") WHERE "products"."excluded";--> statement-breakpoint
CREATE INDEX "usage_events_store" ON "usage_events" USING btree ("store_id","consumer_id","at") WHERE "usage_events"."store_id" is not null and "usage_events"."error_code" is null;
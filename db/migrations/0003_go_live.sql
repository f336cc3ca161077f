CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"consumer_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"digested_at" timestamp with time zone,
	CONSTRAINT "notifications_once" UNIQUE("consumer_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "digest" text DEFAULT 'daily' NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_store" ON "notifications" USING btree ("store_id","created_at");--> statement-breakpoint
CREATE INDEX "notifications_undigested" ON "notifications" USING btree ("store_id") WHERE "notifications"."digested_at" is null;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_digest" CHECK ("merchants"."digest" in ('daily','weekly','off'));
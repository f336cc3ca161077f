ALTER TABLE "consumers" ADD COLUMN "state_since" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "consumers" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "consumers_name" ON "consumers" USING btree ("name","slug");--> statement-breakpoint
CREATE INDEX "consumers_waiting" ON "consumers" USING btree ("state_since","id") WHERE "consumers"."state" in ('under_review','production_requested');--> statement-breakpoint
UPDATE "consumers" c SET "state_since" = coalesce((SELECT max(a."at") FROM "audit" a WHERE a."target_kind" = 'consumer' AND a."target_id" = c."id"::text AND a."action" = 'production.request' AND c."state" = 'production_requested'), c."decided_at", c."created_at");

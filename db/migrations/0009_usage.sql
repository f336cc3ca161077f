CREATE TABLE "failures" (
	"request_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"door" text NOT NULL,
	"consumer_id" uuid,
	"name" text NOT NULL,
	"message" text NOT NULL,
	"stack" text
);
--> statement-breakpoint
CREATE TABLE "request_arguments" (
	"request_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"consumer_id" uuid NOT NULL,
	"arguments" jsonb,
	"problem" text,
	CONSTRAINT "request_arguments_at_request_id_pk" PRIMARY KEY("at","request_id")
) PARTITION BY RANGE ("at");--> statement-breakpoint
CREATE TABLE "request_arguments_default" PARTITION OF "request_arguments" DEFAULT;
--> statement-breakpoint
CREATE TABLE "usage_pending" (
	"at" timestamp with time zone NOT NULL,
	"consumer_id" uuid NOT NULL,
	"key_id" uuid,
	"endpoint" text NOT NULL,
	"method" text NOT NULL,
	"tool" text,
	"store_id" uuid,
	"status" smallint NOT NULL,
	"error_code" text,
	"latency_us" integer NOT NULL,
	"client_name" text,
	"locale" text,
	"times" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_rollups" (
	"consumer_id" uuid NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"dimension" text NOT NULL,
	"value" text NOT NULL,
	"calls" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"refused" bigint NOT NULL,
	"buckets" smallint[] NOT NULL,
	"counts" bigint[] NOT NULL,
	CONSTRAINT "usage_rollups_consumer_id_grain_at_dimension_value_pk" PRIMARY KEY("consumer_id","grain","at","dimension","value"),
	CONSTRAINT "usage_rollups_grain" CHECK ("usage_rollups"."grain" in ('minute','hour','day')),
	CONSTRAINT "usage_rollups_counts" CHECK (cardinality("usage_rollups"."buckets") = cardinality("usage_rollups"."counts")),
	CONSTRAINT "usage_rollups_parts" CHECK ("usage_rollups"."errors" >= 0 and "usage_rollups"."refused" >= 0 and "usage_rollups"."calls" >= "usage_rollups"."errors" + "usage_rollups"."refused")
);
--> statement-breakpoint
ALTER TABLE "consumers" ADD COLUMN "first_call_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "failures_at" ON "failures" USING btree ("at");--> statement-breakpoint
CREATE INDEX "usage_rollups_age" ON "usage_rollups" USING btree ("grain","at");--> statement-breakpoint
CREATE INDEX "usage_events_failed" ON "usage_events" USING btree ("consumer_id","at") WHERE error_code is not null;--> statement-breakpoint
CREATE INDEX "usage_events_failed_at" ON "usage_events" USING btree ("at") WHERE error_code is not null;--> statement-breakpoint
CREATE INDEX "usage_events_faults" ON "usage_events" USING btree ("at") WHERE status >= 500;--> statement-breakpoint
-- Emptied every few seconds: vacuum by rows, not by a share of a table that is mostly empty.
ALTER TABLE "usage_pending" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);--> statement-breakpoint
ALTER TABLE "usage_rollups" SET (fillfactor = 85);--> statement-breakpoint
CREATE FUNCTION usage_event_is_pending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_pending (at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us, client_name, locale)
  SELECT at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us, client_name, locale FROM added;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER usage_event_is_pending AFTER INSERT ON "usage_events" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_event_is_pending();--> statement-breakpoint
INSERT INTO "usage_pending" (at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us, client_name, locale)
  SELECT at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us, client_name, locale FROM "usage_events";

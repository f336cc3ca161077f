CREATE TABLE "usage_recent" (
	"consumer_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"dimension" text NOT NULL,
	"value" text NOT NULL,
	"calls" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"refused" bigint NOT NULL,
	"buckets" smallint[] NOT NULL,
	"counts" bigint[] NOT NULL,
	CONSTRAINT "usage_recent_at_consumer_id_dimension_value_pk" PRIMARY KEY("at","consumer_id","dimension","value")
);
--> statement-breakpoint
-- Rows are added to a few times, and gone after a minute or two: room for that, and vacuum by rows, as for usage_pending.
ALTER TABLE "usage_recent" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

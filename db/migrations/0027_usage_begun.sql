CREATE TABLE "usage_begun" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_ids" uuid[] NOT NULL,
	"key_ids" uuid[] NOT NULL,
	"called" text[] NOT NULL
);
--> statement-breakpoint
-- Written and deleted in a moment: no row is compressed or laid elsewhere, and vacuum goes by rows, as for usage_pending.
ALTER TABLE "usage_begun" SET (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

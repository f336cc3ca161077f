-- Not asked of the rows that there are: they go within minutes.
ALTER TABLE "usage_begun" ADD CONSTRAINT "usage_begun_lengths" CHECK (cardinality("usage_begun"."key_ids") = cardinality("usage_begun"."request_ids") and cardinality("usage_begun"."called") = cardinality("usage_begun"."request_ids")
        and cardinality("usage_begun"."times") in (0, cardinality("usage_begun"."request_ids"))) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_recent" ADD CONSTRAINT "usage_recent_counts" CHECK (cardinality("usage_recent"."buckets") = cardinality("usage_recent"."counts")) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_recent" ADD CONSTRAINT "usage_recent_parts" CHECK ("usage_recent"."errors" >= 0 and "usage_recent"."refused" >= 0 and "usage_recent"."calls" >= "usage_recent"."errors" + "usage_recent"."refused") NOT VALID;

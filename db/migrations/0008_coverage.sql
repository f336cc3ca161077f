CREATE TABLE "coverage_periods" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "coverage_periods_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"consumer_id" uuid,
	"store_id" uuid,
	"began" timestamp with time zone NOT NULL,
	"ended" timestamp with time zone,
	CONSTRAINT "coverage_periods_kind" CHECK ("coverage_periods"."kind" in ('access','default_on','explicit','discovery','block','grant')),
	CONSTRAINT "coverage_periods_of" CHECK (("coverage_periods"."consumer_id" is null) = ("coverage_periods"."kind" = 'discovery') and ("coverage_periods"."store_id" is null) = ("coverage_periods"."kind" in ('access','default_on','explicit'))),
	CONSTRAINT "coverage_periods_order" CHECK ("coverage_periods"."ended" >= "coverage_periods"."began")
);
--> statement-breakpoint
DROP INDEX "stores_name";--> statement-breakpoint
DROP INDEX "blocks_store";--> statement-breakpoint
DROP INDEX "grants_store";--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "attempt" uuid;--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "product_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "coverage_periods" ADD CONSTRAINT "coverage_periods_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coverage_periods" ADD CONSTRAINT "coverage_periods_store_id_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "coverage_periods_one_of_consumer" ON "coverage_periods" USING btree ("consumer_id","kind") WHERE store_id is null and ended is null;--> statement-breakpoint
CREATE UNIQUE INDEX "coverage_periods_one_of_store" ON "coverage_periods" USING btree ("store_id") WHERE consumer_id is null and ended is null;--> statement-breakpoint
CREATE UNIQUE INDEX "coverage_periods_one_of_pair" ON "coverage_periods" USING btree ("consumer_id","store_id","kind") WHERE store_id is not null and consumer_id is not null and ended is null;--> statement-breakpoint
CREATE INDEX "coverage_periods_consumer" ON "coverage_periods" USING btree ("consumer_id","kind","store_id","began","ended") WHERE consumer_id is not null;--> statement-breakpoint
CREATE INDEX "coverage_periods_store" ON "coverage_periods" USING btree ("store_id","began","ended") WHERE consumer_id is null;--> statement-breakpoint
CREATE INDEX "coverage_periods_off" ON "coverage_periods" USING btree ("ended","store_id") WHERE consumer_id is null and ended is not null;--> statement-breakpoint
CREATE INDEX "coverage_periods_pairs_of_store" ON "coverage_periods" USING btree ("store_id") WHERE consumer_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "keys_one_an_attempt" ON "keys" USING btree ("consumer_id","attempt") WHERE attempt is not null;--> statement-breakpoint
CREATE INDEX "stores_by_name" ON "stores" USING btree ("name","id","is_demo","ai_discovery","country");--> statement-breakpoint
CREATE INDEX "blocks_store" ON "blocks" USING btree ("store_id","consumer_id");--> statement-breakpoint
CREATE INDEX "grants_store" ON "grants" USING btree ("store_id","consumer_id");--> statement-breakpoint
-- What coverage follows from, as periods. The clock is read after the row's lock was had: of two acts at once the later one is later.
CREATE FUNCTION coverage_of_store() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND old.ai_discovery AND NOT new.ai_discovery THEN
    UPDATE coverage_periods SET ended = greatest(clock_timestamp(), began)
      WHERE store_id = new.id AND consumer_id IS NULL AND ended IS NULL;
  ELSIF new.ai_discovery AND (TG_OP = 'INSERT' OR NOT old.ai_discovery) THEN
    INSERT INTO coverage_periods (kind, store_id, began) VALUES ('discovery', new.id, clock_timestamp());
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER coverage_of_store AFTER INSERT OR UPDATE OF ai_discovery ON "stores" FOR EACH ROW EXECUTE FUNCTION coverage_of_store();--> statement-breakpoint
CREATE FUNCTION coverage_of_pair() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO coverage_periods (kind, consumer_id, store_id, began) VALUES (TG_ARGV[0], new.consumer_id, new.store_id, clock_timestamp());
  ELSE
    UPDATE coverage_periods SET ended = greatest(clock_timestamp(), began)
      WHERE consumer_id = old.consumer_id AND store_id = old.store_id AND kind = TG_ARGV[0] AND ended IS NULL;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER coverage_of_pair AFTER INSERT OR DELETE ON "blocks" FOR EACH ROW EXECUTE FUNCTION coverage_of_pair('block');--> statement-breakpoint
CREATE TRIGGER coverage_of_pair AFTER INSERT OR DELETE ON "grants" FOR EACH ROW EXECUTE FUNCTION coverage_of_pair('grant');--> statement-breakpoint
CREATE FUNCTION coverage_kinds(state text, coverage text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN state = 'production' THEN ARRAY['access', coverage]
    WHEN state IN ('sandbox', 'production_requested') THEN ARRAY['access'] ELSE ARRAY[]::text[] END $$;--> statement-breakpoint
CREATE FUNCTION coverage_of_consumer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before text[] := CASE WHEN TG_OP = 'UPDATE' THEN coverage_kinds(old.state, old.coverage) ELSE ARRAY[]::text[] END;
  after text[] := coverage_kinds(new.state, new.coverage);
  -- One moment for both: from one mode into the other there is no gap.
  at timestamptz := (SELECT greatest(clock_timestamp(), max(began)) FROM coverage_periods
    WHERE consumer_id = new.id AND store_id IS NULL AND ended IS NULL);
BEGIN
  UPDATE coverage_periods SET ended = at
    WHERE consumer_id = new.id AND store_id IS NULL AND ended IS NULL AND kind = ANY (before) AND NOT kind = ANY (after);
  INSERT INTO coverage_periods (kind, consumer_id, began)
    SELECT kind, new.id, at FROM unnest(after) kind WHERE NOT kind = ANY (before);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER coverage_of_consumer AFTER INSERT OR UPDATE OF state, coverage ON "consumers" FOR EACH ROW EXECUTE FUNCTION coverage_of_consumer();--> statement-breakpoint
INSERT INTO coverage_periods (kind, store_id, began) SELECT 'discovery', id, created_at FROM stores WHERE ai_discovery;--> statement-breakpoint
INSERT INTO coverage_periods (kind, consumer_id, store_id, began) SELECT 'block', consumer_id, store_id, created_at FROM blocks;--> statement-breakpoint
INSERT INTO coverage_periods (kind, consumer_id, store_id, began) SELECT 'grant', consumer_id, store_id, created_at FROM grants;--> statement-breakpoint
INSERT INTO coverage_periods (kind, consumer_id, began)
  SELECT kind, id, coalesce(decided_at, created_at) FROM consumers, unnest(coverage_kinds(state, coverage)) kind;--> statement-breakpoint
-- A merchant excludes products one by one; the importer, which writes many, counts them itself.
CREATE FUNCTION count_excluded_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stores SET product_count = product_count + CASE WHEN new.excluded THEN -1 ELSE 1 END WHERE id = new.store_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER count_excluded_product AFTER UPDATE OF excluded ON "products" FOR EACH ROW
  WHEN (old.excluded <> new.excluded AND new.vanished_at IS NULL) EXECUTE FUNCTION count_excluded_product();--> statement-breakpoint
UPDATE stores s SET product_count = (SELECT count(*) FROM products p WHERE p.store_id = s.id AND NOT p.excluded AND p.vanished_at IS NULL);

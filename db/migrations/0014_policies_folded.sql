-- As server/services/fold.ts folds Latin, Greek, Hebrew and Arabic: without accents and points, Arabic letters in their plain form.
-- Lower case is the text search configuration's.
CREATE FUNCTION folded(said text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN translate(regexp_replace(normalize(said, NFKD), '[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06ED]', '', 'g'),
  U&'\0649\0671\06A9\06CC', U&'\064A\0627\0643\064A');--> statement-breakpoint
ALTER TABLE "policies" drop column "search";--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('aisle', folded(question)), 'A') || setweight(to_tsvector('aisle', policy_type), 'B') || setweight(to_tsvector('aisle', folded(answer)), 'C')) STORED NOT NULL;
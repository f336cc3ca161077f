ALTER TABLE "stores" ALTER COLUMN "index_version" SET DEFAULT 6;--> statement-breakpoint
-- As server/services/fold.ts: what is drawn as nothing is left out, and U+200B is a blank.
CREATE OR REPLACE FUNCTION folded(said text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN translate(regexp_replace(normalize(said, NFKD),
  '[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06ED\u00AD\u061C\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]', '', 'g'),
  U&'\200B\0649\0671\06A9\06CC', U&' \064A\0627\0643\064A');--> statement-breakpoint
-- Writes what is generated from it anew.
UPDATE policies SET question = question WHERE question || answer ~ '[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]';

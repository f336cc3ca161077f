-- English stop words may be the very thing that is meant ("down" jackets): server/services/catalog/function-words.ts tells which.
CREATE TEXT SEARCH DICTIONARY aisle_english (TEMPLATE = snowball, LANGUAGE = english);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle_products (COPY = aisle);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle_products ALTER MAPPING REPLACE english_stem WITH aisle_english;--> statement-breakpoint
-- What is loaded has the words of its time until a job writes them anew.
ALTER TABLE "stores" ADD COLUMN "index_version" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "stores" ALTER COLUMN "index_version" SET DEFAULT 2;--> statement-breakpoint
-- Until now categories were only ever stated.
ALTER TABLE "stores" ADD COLUMN "categories_stated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE stores SET categories_stated = true WHERE categories <> '{}';

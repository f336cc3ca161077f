CREATE TABLE "search_languages" (
	"language" text PRIMARY KEY NOT NULL,
	CONSTRAINT "search_languages_known" CHECK ("search_languages"."language" in ('de','es','fr','it','nl','pt'))
);
--> statement-breakpoint
ALTER TABLE "stores" ALTER COLUMN "index_version" SET DEFAULT 3;--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "index_languages" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Words of other languages, each with a configuration and stems of its own: server/services/languages.ts knows the same ones.
CREATE TEXT SEARCH DICTIONARY aisle_de (TEMPLATE = snowball, LANGUAGE = german);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle_de (COPY = aisle_products);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle_de ALTER MAPPING REPLACE aisle_english WITH aisle_de;--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY aisle_es (TEMPLATE = snowball, LANGUAGE = spanish);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle_es (COPY = aisle_products);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle_es ALTER MAPPING REPLACE aisle_english WITH aisle_es;--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY aisle_fr (TEMPLATE = snowball, LANGUAGE = french);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle_fr (COPY = aisle_products);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle_fr ALTER MAPPING REPLACE aisle_english WITH aisle_fr;--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY aisle_it (TEMPLATE = snowball, LANGUAGE = italian);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle_it (COPY = aisle_products);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle_it ALTER MAPPING REPLACE aisle_english WITH aisle_it;--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY aisle_nl (TEMPLATE = snowball, LANGUAGE = dutch);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle_nl (COPY = aisle_products);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle_nl ALTER MAPPING REPLACE aisle_english WITH aisle_nl;--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY aisle_pt (TEMPLATE = snowball, LANGUAGE = portuguese);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION aisle_pt (COPY = aisle_products);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION aisle_pt ALTER MAPPING REPLACE aisle_english WITH aisle_pt;--> statement-breakpoint
-- What the stemmers miss: endings that they know by accents, which are folded away, and doubled letters.
CREATE FUNCTION stemmable(language text, words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE language
  WHEN 'es' THEN regexp_replace(words, '([aeiou]r)es\M', '\1', 'g')
  WHEN 'fr' THEN regexp_replace(words, 'ee(s?)\M', 'e\1', 'g')
  WHEN 'nl' THEN regexp_replace(regexp_replace(words, '([bdfgklmnprst])\1en\M', '\1', 'g'), '([aeiou][iu])zen\M', '\1s', 'g')
  WHEN 'pt' THEN regexp_replace(regexp_replace(regexp_replace(
    words, '(\w)(?:[oa]e|ao)s\M', '\1ao', 'g'), '([aeou])is\M', '\1l', 'g'), '([aeiou])ns\M', '\1m', 'g')
  ELSE words END;--> statement-breakpoint
-- Each stem has its language before it, so that nothing else is taken for it: a Spanish "kit" for English "kites".
-- Words are cut where the mark would make them too long for an index.
CREATE FUNCTION stems(language text, words text) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
RETURN replace(' ' || to_tsvector(('aisle_' || language)::regconfig,
  stemmable(language, regexp_replace(words, '(\w{255})\w+', '\1', 'g')))::text, ' ''', ' ''' || language || ':')::tsvector;--> statement-breakpoint
CREATE FUNCTION stems_query(language text, words text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE
RETURN regexp_replace(to_tsquery(('aisle_' || language)::regconfig, stemmable(language, words))::text,
  '''([^'']+)''', '''' || language || ':\1''', 'g')::tsquery;--> statement-breakpoint
-- In other languages than English; null where there are none, or no Latin letter: what has none is the same in all of them.
CREATE FUNCTION other_query(words text, languages text[]) RETURNS tsquery LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  found tsquery;
  one tsquery;
  language text;
BEGIN
  IF words ~ '[a-z]' THEN
    FOREACH language IN ARRAY languages LOOP
      one := stems_query(language, words);
      found := coalesce(found || one, one);
    END LOOP;
  END IF;
  RETURN found;
END $$;--> statement-breakpoint
-- What a product must have: all of it in English, as all products are indexed, or all of it in another language.
CREATE FUNCTION product_query(words text, languages text[]) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN languages IS NULL THEN to_tsquery('aisle_products', words)
  ELSE coalesce(to_tsquery('aisle_products', words) || other_query(words, languages), to_tsquery('aisle_products', words)) END;--> statement-breakpoint
-- The same words as they stand in the index.
CREATE FUNCTION other_stems(words text, languages text[]) RETURNS tsvector LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  found tsvector := '';
  language text;
BEGIN
  IF words ~ '[a-z]' THEN
    FOREACH language IN ARRAY languages LOOP
      found := found || stems(language, words);
    END LOOP;
  END IF;
  RETURN found;
END $$;--> statement-breakpoint
CREATE FUNCTION product_stems(words text, languages text[]) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN languages IS NULL THEN to_tsvector('aisle_products', words)
  ELSE to_tsvector('aisle_products', words) || other_stems(words, languages) END;--> statement-breakpoint
-- Languages are few and stores many: a search reads the few.
CREATE FUNCTION keep_search_languages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_languages SELECT unnest(new.index_languages) ORDER BY 1 ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER stores_search_languages AFTER INSERT OR UPDATE OF index_languages ON stores
FOR EACH ROW WHEN (new.index_languages <> '{}') EXECUTE FUNCTION keep_search_languages();

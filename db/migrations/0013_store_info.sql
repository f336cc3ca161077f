-- What get_store_info tells of a store, up to its last brace: what the store has data for is added when it is asked.
-- Immutable: the one instant in it is written in UTC.
CREATE FUNCTION store_info(id uuid, name text, legal_name text, url text, logo text, description text, address jsonb, country text,
  currencies text[], languages text[], contact_point jsonb, opening_hours jsonb, payment_accepted text[], shipping_policy text,
  return_policy jsonb, links jsonb, categories text[], is_demo boolean, updated_at timestamptz)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(json_strip_nulls(json_build_object(
  'store_id', id, 'name', name, 'legal_name', legal_name, 'url', url, 'logo', logo, 'description', description,
  'address', address, 'country', country, 'currencies', currencies, 'languages', languages, 'contact_point', contact_point,
  'opening_hours', opening_hours, 'payment_accepted', payment_accepted, 'shipping_policy', shipping_policy,
  'return_policy', return_policy, 'links', links, 'categories', categories, 'is_demo', is_demo,
  'data_as_of', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text, -1);--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "info" text GENERATED ALWAYS AS (store_info(id, name, legal_name, url, logo, description, address, country, currencies, languages, contact_point, opening_hours, payment_accepted, shipping_policy, return_policy, links, categories, is_demo, updated_at)) STORED NOT NULL;
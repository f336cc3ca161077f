-- feed_loads.last_product_ref is named by no statement of this release, but still by inserts of the one before: the next one
-- drops it (docs/operations.md, "Migrations").
SELECT 1;

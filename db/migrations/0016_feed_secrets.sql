-- The audit is kept for good, and an address that is fetched from often has a token in its query: what was written of one
-- that was given up is cut, as server/services/feeds/source-state.ts writes it now. Otherwise the audit is insert-only.
ALTER TABLE "audit" DISABLE TRIGGER audit_is_insert_only;--> statement-breakpoint
UPDATE "audit" SET
  "before" = CASE WHEN "before" ? 'url' THEN jsonb_set("before", '{url}', to_jsonb(regexp_replace(regexp_replace("before"->>'url', '#.*$', ''), '\?.+$', '?…'))) ELSE "before" END,
  "after" = CASE WHEN "after" ? 'url' THEN jsonb_set("after", '{url}', to_jsonb(regexp_replace(regexp_replace("after"->>'url', '#.*$', ''), '\?.+$', '?…'))) ELSE "after" END
WHERE "action" = 'feed.source.off';--> statement-breakpoint
ALTER TABLE "audit" ENABLE TRIGGER audit_is_insert_only;

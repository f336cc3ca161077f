-- Made by hand before, where there is a large log of requests (docs/operations.md).
CREATE INDEX IF NOT EXISTS "usage_events_account" ON "usage_events" USING btree ("account_id","at") WHERE account_id is not null;--> statement-breakpoint
-- Whom to ask at a store may be a person: the audit, which is kept for good, had it, and server/services/stores.ts and merchant-register.ts
-- write it no longer. Otherwise the audit is insert-only.
ALTER TABLE "audit" DISABLE TRIGGER audit_is_insert_only;--> statement-breakpoint
UPDATE "audit" SET "before" = "before" - 'contactPoint', "after" = "after" - 'contactPoint' - 'contact_point'
WHERE "action" IN ('store.create', 'store.edit') AND ("before" ? 'contactPoint' OR "after" ?| array['contactPoint', 'contact_point']);--> statement-breakpoint
ALTER TABLE "audit" ENABLE TRIGGER audit_is_insert_only;

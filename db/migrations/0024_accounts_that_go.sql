-- What names an account is looked through for each that goes. Made by hand before, where these tables are large (docs/operations.md).
CREATE INDEX IF NOT EXISTS "terms_published_by" ON "terms" USING btree ("published_by") WHERE "terms"."published_by" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "terms_acceptances_account" ON "terms_acceptances" USING btree ("account_id") WHERE "terms_acceptances"."account_id" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "feed_loads_requested_by" ON "feed_loads" USING btree ("requested_by") WHERE "feed_loads"."requested_by" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "feed_sources_created_by" ON "feed_sources" USING btree ("created_by") WHERE "feed_sources"."created_by" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "keys_created_by" ON "keys" USING btree ("created_by") WHERE "keys"."created_by" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "keys_revoked_by" ON "keys" USING btree ("revoked_by") WHERE "keys"."revoked_by" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "blocks_created_by" ON "blocks" USING btree ("created_by") WHERE "blocks"."created_by" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "grants_created_by" ON "grants" USING btree ("created_by") WHERE "grants"."created_by" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "merchant_invitations_created_by" ON "merchant_invitations" USING btree ("created_by") WHERE "merchant_invitations"."created_by" is not null;--> statement-breakpoint
DROP INDEX "doctor_checks_member";--> statement-breakpoint
-- Of what was opened at the same moment the newest stays.
DELETE FROM doctor_checks d USING doctor_checks n
WHERE n.account_id = d.account_id AND n.consumer_id = d.consumer_id AND (n.created_at, n.id) > (d.created_at, d.id);--> statement-breakpoint
CREATE UNIQUE INDEX "doctor_checks_member" ON "doctor_checks" USING btree ("account_id","consumer_id");--> statement-breakpoint
-- Hours: a day of the database's time zone may have 23 or 25.
ALTER TABLE "members" DROP CONSTRAINT "members_reviewer_ends";--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_reviewer_ends" CHECK (("members"."role" = 'reviewer') = ("members"."ends_at" is not null) and "members"."ends_at" <= "members"."granted_at" + interval '2160 hours');--> statement-breakpoint
ALTER TABLE "stores" ALTER COLUMN "index_version" SET DEFAULT 4;

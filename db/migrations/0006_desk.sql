CREATE TABLE "merchant_invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"email" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "merchant_invitations_hash_unique" UNIQUE("hash"),
	CONSTRAINT "merchant_invitations_email_normalised" CHECK ("merchant_invitations"."email" = lower(btrim("merchant_invitations"."email")) and position('@' in "merchant_invitations"."email") > 1),
	CONSTRAINT "merchant_invitations_hash_is_sha256" CHECK (octet_length("merchant_invitations"."hash") = 32),
	CONSTRAINT "merchant_invitations_settled_once" CHECK (num_nonnulls("merchant_invitations"."accepted_at", "merchant_invitations"."withdrawn_at") <= 1)
);
--> statement-breakpoint
DROP INDEX "audit_at";--> statement-breakpoint
DROP INDEX "audit_target";--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchant_invitations" ADD CONSTRAINT "merchant_invitations_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_invitations" ADD CONSTRAINT "merchant_invitations_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "merchant_invitations_waiting" ON "merchant_invitations" USING btree ("merchant_id","email") WHERE accepted_at is null and withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "merchant_invitations_email" ON "merchant_invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "merchants_name" ON "merchants" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "audit_newest" ON "audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_actor_kind" ON "audit" USING btree ("actor_kind","at","id");--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_area" ON "audit" USING btree (split_part("action", '.', 1),"at","id");--> statement-breakpoint
CREATE INDEX "audit_target_id" ON "audit" USING btree ("target_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_target_kind" ON "audit" USING btree ("target_kind","at","id");--> statement-breakpoint
CREATE INDEX "audit_request" ON "audit" USING btree ("request_id");--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_limits" CHECK ("settings"."sandbox_rate_limit" between 1 and 1000000 and "settings"."sandbox_max_keys" between 0 and 1000 and "settings"."playground_rate_limit" between 1 and 1000000);--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_sandbox_scopes" CHECK ("settings"."sandbox_scopes" <@ array['catalog:read','offers:read','promotions:read','loyalty:read','inventory:read']);
CREATE TABLE "account_tokens" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "account_tokens_hash_is_sha256" CHECK (octet_length("account_tokens"."hash") = 32),
	CONSTRAINT "account_tokens_purpose" CHECK ("account_tokens"."purpose" in ('verify','reset','change_email'))
);--> statement-breakpoint
CREATE TABLE "local_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"links" text[] NOT NULL
);--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"password_version" integer NOT NULL,
	"consumer_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"user_agent" text NOT NULL,
	"address" text NOT NULL,
	CONSTRAINT "sessions_id_is_sha256" CHECK ("sessions"."id" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "sessions_at_most_30_days" CHECK ("sessions"."expires_at" <= "sessions"."created_at" + interval '720 hours'),
	CONSTRAINT "sessions_user_agent" CHECK (length("sessions"."user_agent") <= 300)
);--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "password_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "sign_up_proof" "bytea";--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_sign_up_proof" CHECK ("accounts"."sign_up_proof" is null or (octet_length("accounts"."sign_up_proof") = 32 and "accounts"."email_verified_at" is null));--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_settled" CHECK (num_nonnulls("outbox"."next_attempt_at", "outbox"."sent_at", "outbox"."dead_at") = 1 and ("outbox"."next_attempt_at" is not null or "outbox"."data" = '{}'));--> statement-breakpoint
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
DROP INDEX "outbox_due";--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "account_tokens_account" ON "account_tokens" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id");

CREATE TABLE "doctor_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"consumer_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "doctor_checks_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "doctor_checks_hash_is_sha256" CHECK (octet_length("doctor_checks"."token_hash") = 32),
	CONSTRAINT "doctor_checks_fifteen_minutes" CHECK ("doctor_checks"."expires_at" <= "doctor_checks"."created_at" + interval '15 minutes'),
	CONSTRAINT "doctor_checks_requests" CHECK ("doctor_checks"."requests" between 0 and 20)
);
--> statement-breakpoint
CREATE TABLE "doctor_visits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"check_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"status" integer NOT NULL,
	"code" text,
	"arrived" jsonb NOT NULL,
	"rules" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "doctor_checks" ADD CONSTRAINT "doctor_checks_consumer_id_consumers_id_fk" FOREIGN KEY ("consumer_id") REFERENCES "public"."consumers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_checks" ADD CONSTRAINT "doctor_checks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_visits" ADD CONSTRAINT "doctor_visits_check_id_doctor_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."doctor_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "doctor_checks_member" ON "doctor_checks" USING btree ("consumer_id","account_id","created_at");--> statement-breakpoint
CREATE INDEX "doctor_checks_expiry" ON "doctor_checks" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "doctor_visits_check" ON "doctor_visits" USING btree ("check_id","at");
-- Keys whose heirs were revoked: each takes its place again, as it does from this release on. It counts from now on, so a
-- platform may be over its maximum; then it issues no other until it has room.
UPDATE "keys" k SET "superseded_at" = NULL
WHERE k."revoked_at" IS NULL AND k."superseded_at" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "keys" heir WHERE heir."line" = k."line" AND heir."revoked_at" IS NULL AND heir."superseded_at" IS NULL);

ALTER TABLE "users" ADD COLUMN "hasSecondFactor" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "workspaces" ADD COLUMN "requiresSecondFactor" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "second_factors" (
  "id" BIGSERIAL PRIMARY KEY,
  "publicId" TEXT NOT NULL,
  "userId" BIGINT NOT NULL REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "type" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "secret" TEXT,
  "lastStep" BIGINT,
  "credentialId" TEXT,
  "publicKey" BYTEA,
  "counter" BIGINT,
  "transports" TEXT[] NOT NULL DEFAULT '{}',
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lastUsedAt" TIMESTAMPTZ(3),
  CONSTRAINT "second_factors_type" CHECK (
    "type" = 'totp' AND "secret" IS NOT NULL AND "lastStep" IS NOT NULL
    OR "type" = 'passkey' AND "credentialId" IS NOT NULL AND "publicKey" IS NOT NULL
      AND "counter" IS NOT NULL)
);
CREATE UNIQUE INDEX "second_factors_publicId_key" ON "second_factors"("publicId");
CREATE UNIQUE INDEX "second_factors_credentialId_key" ON "second_factors"("credentialId");
CREATE UNIQUE INDEX "second_factors_userId_totp" ON "second_factors"("userId") WHERE "type" = 'totp';
CREATE INDEX "second_factors_userId_idx" ON "second_factors"("userId");

CREATE TABLE "recovery_codes" (
  "id" BIGSERIAL PRIMARY KEY,
  "userId" BIGINT NOT NULL REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "codeHash" TEXT NOT NULL
);
CREATE UNIQUE INDEX "recovery_codes_userId_codeHash_key" ON "recovery_codes"("userId", "codeHash");

CREATE TABLE "sign_in_challenges" (
  "id" BIGSERIAL PRIMARY KEY,
  "userId" BIGINT NOT NULL REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "challengeHash" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "sign_in_challenges_challengeHash_key" ON "sign_in_challenges"("challengeHash");
CREATE INDEX "sign_in_challenges_userId_idx" ON "sign_in_challenges"("userId");
CREATE INDEX "sign_in_challenges_expiresAt_idx" ON "sign_in_challenges"("expiresAt");

-- Each check of a credential reads the account anyway: it tells there whether a factor exists.
CREATE FUNCTION set_has_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account bigint := (coalesce(NEW, OLD))."userId";
BEGIN
  UPDATE users u SET "hasSecondFactor" = has.any
  FROM (SELECT EXISTS (SELECT 1 FROM second_factors WHERE "userId" = account) AS any) has
  WHERE u.id = account AND u."hasSecondFactor" <> has.any;
  RETURN NULL;
END $$;
CREATE TRIGGER second_factors_change AFTER INSERT OR DELETE ON second_factors
  FOR EACH ROW EXECUTE FUNCTION set_has_second_factor();

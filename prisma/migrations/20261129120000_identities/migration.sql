CREATE TABLE "identities" (
  "id" BIGSERIAL PRIMARY KEY,
  "publicId" TEXT NOT NULL,
  "userId" BIGINT NOT NULL REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "provider" TEXT NOT NULL,
  "issuer" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "email" TEXT,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lastUsedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "identities_publicId_key" ON "identities"("publicId");
CREATE UNIQUE INDEX "identities_issuer_subject_key" ON "identities"("issuer", "subject");
CREATE INDEX "identities_userId_idx" ON "identities"("userId");

CREATE TABLE "sign_ins" (
  "id" BIGSERIAL PRIMARY KEY,
  "provider" TEXT NOT NULL,
  "stateHash" TEXT NOT NULL,
  "secretHash" TEXT NOT NULL,
  "started" TEXT NOT NULL,
  "returnUrl" TEXT NOT NULL,
  "usedAt" TIMESTAMPTZ(3),
  "resultHash" TEXT,
  "proved" TEXT,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "sign_ins_stateHash_key" ON "sign_ins"("stateHash");
CREATE UNIQUE INDEX "sign_ins_resultHash_key" ON "sign_ins"("resultHash");
CREATE INDEX "sign_ins_expiresAt_idx" ON "sign_ins"("expiresAt");

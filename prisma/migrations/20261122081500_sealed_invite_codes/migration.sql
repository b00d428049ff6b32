-- Codes are found by their SHA-256. Mailed codes are not stored. The service seals the codes of
-- existing links at its next start: it alone has the key.
ALTER TABLE "invites" RENAME COLUMN "code" TO "sealedCode";
ALTER TABLE "invites" ALTER COLUMN "sealedCode" DROP NOT NULL;
DROP INDEX "invites_code_key";
ALTER TABLE "invites" ADD COLUMN "codeHash" TEXT;

UPDATE "invites" SET "codeHash" = encode(sha256(convert_to("sealedCode", 'UTF8')), 'hex');
UPDATE "invites" SET "sealedCode" = NULL WHERE "memberId" IS NOT NULL OR "deactivatedAt" IS NOT NULL;

ALTER TABLE "invites" ALTER COLUMN "codeHash" SET NOT NULL;
CREATE UNIQUE INDEX "invites_codeHash_key" ON "invites"("codeHash");
CREATE INDEX "invites_unsealed" ON "invites" ("id") WHERE "sealedCode" NOT LIKE 'v1.%';

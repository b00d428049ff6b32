-- Programs without a browser, which a person connects with a code that they show.
CREATE TABLE "device_codes" (
    "id" BIGSERIAL NOT NULL,
    "appId" BIGINT NOT NULL,
    "codeHash" TEXT NOT NULL,
    "userCodeHash" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "mayWrite" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "pollSeconds" INTEGER NOT NULL,
    "polledAt" TIMESTAMPTZ(3),
    "keyId" BIGINT,
    "deniedAt" TIMESTAMPTZ(3),
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "device_codes_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "device_codes_codeHash_key" ON "device_codes"("codeHash");
CREATE UNIQUE INDEX "device_codes_userCodeHash_key" ON "device_codes"("userCodeHash");
CREATE INDEX "device_codes_appId_idx" ON "device_codes"("appId");
CREATE INDEX "device_codes_keyId_idx" ON "device_codes"("keyId");

ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_appId_fkey" FOREIGN KEY ("appId") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

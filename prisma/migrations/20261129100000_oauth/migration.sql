-- Apps that people connect: grants are rows of api_keys, which stays small.
CREATE TABLE "apps" (
    "id" BIGSERIAL NOT NULL,
    "publicId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirectUris" TEXT[],
    "freshUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "apps_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "app_codes" (
    "id" BIGSERIAL NOT NULL,
    "keyId" BIGINT NOT NULL,
    "codeHash" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "app_codes_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "app_refresh_tokens" (
    "id" BIGSERIAL NOT NULL,
    "keyId" BIGINT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "spentAt" TIMESTAMPTZ(3),

    CONSTRAINT "app_refresh_tokens_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "forbidden_apps" (
    "id" BIGSERIAL NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "appId" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "forbidden_apps_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "apps_publicId_key" ON "apps"("publicId");
CREATE UNIQUE INDEX "apps_clientId_key" ON "apps"("clientId");
CREATE UNIQUE INDEX "app_codes_codeHash_key" ON "app_codes"("codeHash");
CREATE INDEX "app_codes_keyId_idx" ON "app_codes"("keyId");
CREATE UNIQUE INDEX "app_refresh_tokens_tokenHash_key" ON "app_refresh_tokens"("tokenHash");
CREATE INDEX "app_refresh_tokens_keyId_idx" ON "app_refresh_tokens"("keyId");
CREATE UNIQUE INDEX "forbidden_apps_appId_workspaceId_key" ON "forbidden_apps"("appId", "workspaceId");
CREATE INDEX "forbidden_apps_workspaceId_idx" ON "forbidden_apps"("workspaceId");

ALTER TABLE "api_keys"
  ADD COLUMN "appId" BIGINT,
  ADD COLUMN "resource" TEXT,
  ADD COLUMN "endsAt" TIMESTAMPTZ(3);
CREATE INDEX "api_keys_appId_idx" ON "api_keys"("appId");

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_appId_fkey" FOREIGN KEY ("appId") REFERENCES "apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "app_codes" ADD CONSTRAINT "app_codes_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "app_refresh_tokens" ADD CONSTRAINT "app_refresh_tokens_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "forbidden_apps" ADD CONSTRAINT "forbidden_apps_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "forbidden_apps" ADD CONSTRAINT "forbidden_apps_appId_fkey" FOREIGN KEY ("appId") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- By hand, because Prisma has no checks.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_grants" CHECK (("appId" IS NULL) = ("resource" IS NULL));

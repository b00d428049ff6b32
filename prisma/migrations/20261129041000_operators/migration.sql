-- Operators, disabled accounts, the quota of one workspace, and the operator's own log. All columns are empty or have
-- a default: nothing is rewritten.
ALTER TABLE "users" ADD COLUMN "isOperator" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "disabledAt" TIMESTAMPTZ(3);

ALTER TABLE "workspaces" ADD COLUMN "attachmentsQuota" INTEGER;

CREATE TABLE "operator_actions" (
    "id" BIGSERIAL NOT NULL,
    "userId" BIGINT,
    "operation" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "ip" TEXT,
    "requestId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operator_actions_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "operator_actions_userId_idx" ON "operator_actions"("userId");

CREATE INDEX "operator_actions_createdAt_idx" ON "operator_actions"("createdAt");

ALTER TABLE "operator_actions" ADD CONSTRAINT "operator_actions_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A connection is finished by the browser or the session that started it.
-- Authorizations in progress are started again: they last ten minutes.
ALTER TABLE "oauth_states" ADD COLUMN "sessionId" BIGINT, ADD COLUMN "nonceHash" TEXT,
  ADD COLUMN "resultHash" TEXT, ADD COLUMN "code" TEXT;

CREATE UNIQUE INDEX "oauth_states_resultHash_key" ON "oauth_states"("resultHash");

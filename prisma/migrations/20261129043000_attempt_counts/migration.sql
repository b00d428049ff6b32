-- What limits of sign-in attempts have counted, for all instances. A crash of the server empties it: it is not worth a
-- write of the log, and no attempt waits for a standby.
CREATE UNLOGGED TABLE "attempt_counts" (
    "id" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attempt_counts_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "attempt_counts_expiresAt_idx" ON "attempt_counts"("expiresAt");

-- Shows whether a service has the APP_SECRET of this database: a text that only that secret opens.
CREATE TABLE "secret_fingerprints" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sealed" TEXT NOT NULL,

    CONSTRAINT "secret_fingerprints_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "secret_fingerprints_one_row" CHECK ("id" = 1)
);

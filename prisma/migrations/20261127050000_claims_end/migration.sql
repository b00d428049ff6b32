-- A claim has a member and an end, or neither. The end of a member whose row is deleted goes with it.
UPDATE "cards" SET "claimedById" = NULL, "claimExpiresAt" = NULL
WHERE ("claimedById" IS NULL) <> ("claimExpiresAt" IS NULL);

CREATE FUNCTION end_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."claimExpiresAt" := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER "cards_claim_end" BEFORE UPDATE OF "claimedById" ON "cards"
  FOR EACH ROW WHEN (NEW."claimedById" IS NULL AND NEW."claimExpiresAt" IS NOT NULL)
  EXECUTE FUNCTION end_claim();

ALTER TABLE "cards" ADD CONSTRAINT "cards_claim_check"
  CHECK (("claimedById" IS NULL) = ("claimExpiresAt" IS NULL));

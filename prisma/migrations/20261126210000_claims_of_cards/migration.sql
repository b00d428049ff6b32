-- AlterTable
ALTER TABLE "cards" ADD COLUMN "claimExpiresAt" TIMESTAMPTZ(3),
ADD COLUMN "claimedById" BIGINT;

-- AddForeignKey
ALTER TABLE "cards" ADD CONSTRAINT "cards_claimedById_fkey" FOREIGN KEY ("claimedById") REFERENCES "members"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Few cards are claimed at a time.
CREATE INDEX "cards_claimedById_idx" ON "cards"("claimedById") WHERE "claimedById" IS NOT NULL;

-- The member is one of the card's workspace.
CREATE CONSTRAINT TRIGGER "cards_claimedById_workspace" AFTER INSERT OR UPDATE OF "claimedById", "workspaceId" ON "cards"
  DEFERRABLE FOR EACH ROW WHEN (NEW."claimedById" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('members', 'claimedById');

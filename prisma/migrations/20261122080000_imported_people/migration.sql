-- The author of an imported comment is a name at its source, never an account.
ALTER TABLE "comments" ADD COLUMN "importSource" TEXT, ADD COLUMN "importAuthorId" TEXT;
ALTER TABLE "comments" ADD CONSTRAINT "comments_importSource_check"
  CHECK ("importSource" IN ('trello', 'github', 'workspace'));
CREATE INDEX "comments_imported" ON "comments"("workspaceId", "importSource", "importAuthorId")
  WHERE "importSource" IS NOT NULL;

-- The people of sources, and the members that they are mapped to.
CREATE TABLE "imported_people" (
  "id" BIGSERIAL NOT NULL,
  "workspaceId" BIGINT NOT NULL,
  "source" TEXT NOT NULL,
  "sourceId" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "memberId" BIGINT,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "imported_people_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "imported_people_source_check" CHECK ("source" IN ('trello', 'github', 'workspace'))
);
CREATE UNIQUE INDEX "imported_people_workspaceId_source_sourceId_key"
  ON "imported_people"("workspaceId", "source", "sourceId");
CREATE INDEX "imported_people_memberId_idx" ON "imported_people"("memberId");
ALTER TABLE "imported_people" ADD CONSTRAINT "imported_people_workspaceId_fkey"
  FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "imported_people" ADD CONSTRAINT "imported_people_memberId_fkey"
  FOREIGN KEY ("memberId") REFERENCES "members"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE CONSTRAINT TRIGGER "imported_people_memberId_workspace"
  AFTER INSERT OR UPDATE OF "memberId", "workspaceId" ON "imported_people"
  DEFERRABLE FOR EACH ROW WHEN (NEW."memberId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('members', 'memberId');

-- The cards of the people of sources.
CREATE TABLE "imported_assignments" (
  "cardId" BIGINT NOT NULL,
  "source" TEXT NOT NULL,
  "sourceId" TEXT NOT NULL,
  "workspaceId" BIGINT NOT NULL,
  CONSTRAINT "imported_assignments_pkey" PRIMARY KEY ("cardId", "source", "sourceId"),
  CONSTRAINT "imported_assignments_source_check"
    CHECK ("source" IN ('trello', 'github', 'workspace'))
);
CREATE INDEX "imported_assignments_workspaceId_source_sourceId_idx"
  ON "imported_assignments"("workspaceId", "source", "sourceId");
ALTER TABLE "imported_assignments" ADD CONSTRAINT "imported_assignments_workspaceId_fkey"
  FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "imported_assignments" ADD CONSTRAINT "imported_assignments_cardId_workspaceId_fkey"
  FOREIGN KEY ("cardId", "workspaceId") REFERENCES "cards"("id", "workspaceId")
  ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

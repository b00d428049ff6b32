-- The tables of imports in the terms of the field.
ALTER TABLE "imported_things" RENAME TO "imported_items";
ALTER SEQUENCE "imported_things_id_seq" RENAME TO "imported_items_id_seq";
ALTER TABLE "imported_items" RENAME CONSTRAINT "imported_things_pkey" TO "imported_items_pkey";
ALTER TABLE "imported_items" RENAME CONSTRAINT "imported_things_workspaceId_fkey" TO "imported_items_workspaceId_fkey";
ALTER TABLE "imported_items" RENAME CONSTRAINT "imported_things_importId_fkey" TO "imported_items_importId_fkey";
ALTER TABLE "imported_items" RENAME CONSTRAINT "imported_things_boardId_fkey" TO "imported_items_boardId_fkey";
ALTER TABLE "imported_items" RENAME CONSTRAINT "imported_things_source_check" TO "imported_items_source_check";
ALTER INDEX "imported_things_importId_idx" RENAME TO "imported_items_importId_idx";
ALTER INDEX "imported_things_boardId_idx" RENAME TO "imported_items_boardId_idx";
ALTER INDEX "imported_things_workspaceId_source_kind_sourceId_key" RENAME TO "imported_items_workspaceId_source_kind_sourceId_key";
DROP TRIGGER "imported_things_boardId_workspace" ON "imported_items";
CREATE CONSTRAINT TRIGGER "imported_items_boardId_workspace"
  AFTER INSERT OR UPDATE OF "boardId", "workspaceId" ON "imported_items"
  DEFERRABLE FOR EACH ROW WHEN (NEW."boardId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('boards', 'boardId');
DROP TRIGGER "imported_things_importId_workspace" ON "imported_items";
CREATE CONSTRAINT TRIGGER "imported_items_importId_workspace"
  AFTER INSERT OR UPDATE OF "importId", "workspaceId" ON "imported_items"
  DEFERRABLE FOR EACH ROW WHEN (NEW."importId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('imports', 'importId');

ALTER TABLE "import_losses" RENAME TO "import_issues";
ALTER SEQUENCE "import_losses_id_seq" RENAME TO "import_issues_id_seq";
ALTER TABLE "import_issues" RENAME CONSTRAINT "import_losses_pkey" TO "import_issues_pkey";
ALTER TABLE "import_issues" RENAME CONSTRAINT "import_losses_workspaceId_fkey" TO "import_issues_workspaceId_fkey";
ALTER TABLE "import_issues" RENAME CONSTRAINT "import_losses_workspaceId_importId_fkey" TO "import_issues_workspaceId_importId_fkey";
ALTER INDEX "import_losses_workspaceId_idx" RENAME TO "import_issues_workspaceId_idx";

ALTER TABLE "imports" RENAME COLUMN "heldBy" TO "lockedBy";

-- Losses come before what was imported in part, and before what is no loss.
CREATE TYPE "ImportSeverity" AS ENUM ('loss', 'partial', 'info');
ALTER TABLE "import_issues" ADD COLUMN "severity" "ImportSeverity" NOT NULL DEFAULT 'loss',
  ADD COLUMN "detail" TEXT, ADD COLUMN "cardPublicId" TEXT;
UPDATE "import_issues" SET "severity" = 'info' WHERE "kind" IN ('action', 'shortLink');
UPDATE "import_issues" SET "severity" = 'partial' WHERE "partly";
UPDATE "import_issues" i SET "cardPublicId" = c."publicId"
  FROM "imports" m, "imported_items" item, "cards" c
  WHERE m."id" = i."importId" AND item."workspaceId" = i."workspaceId" AND item."source" = m."family"
    AND item."kind" = 'card' AND item."sourceId" = i."sourceId" AND c."id" = item."targetId";
UPDATE "import_issues" SET "detail" = substr("reason", strpos("reason", ': ') + 2),
    "reason" = left("reason", strpos("reason", ': ') - 1) || '.'
  WHERE "reason" ~ '^(Custom fields are|Locations are|The field is|Milestones are) not supported: ';
ALTER TABLE "import_issues" DROP COLUMN "partly";
DROP INDEX "import_losses_importId_id_idx";
CREATE INDEX "import_issues_importId_severity_id_idx"
  ON "import_issues"("importId", "severity", "id");

-- The assignee of an imported item is a person of its source, who may be mapped to a member later.
ALTER TABLE "checklist_items" ADD COLUMN "importSource" TEXT, ADD COLUMN "importAssigneeId" TEXT;
ALTER TABLE "checklist_items" ADD CONSTRAINT "checklist_items_importSource_check"
  CHECK ("importSource" IN ('trello', 'github', 'workspace'));
CREATE INDEX "checklist_items_imported"
  ON "checklist_items"("workspaceId", "importSource", "importAssigneeId")
  WHERE "importSource" IS NOT NULL;

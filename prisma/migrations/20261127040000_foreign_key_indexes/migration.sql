-- A foreign key is checked by an index on exactly its columns, also before PostgreSQL has statistics:
-- moving a board checks the rows of each card.
CREATE INDEX "card_labels_workspaceId_cardId_idx" ON "card_labels"("workspaceId", "cardId");
DROP INDEX "card_labels_workspaceId_idx";
CREATE INDEX "card_members_workspaceId_cardId_idx" ON "card_members"("workspaceId", "cardId");
DROP INDEX "card_members_workspaceId_idx";
CREATE INDEX "checklists_workspaceId_cardId_idx" ON "checklists"("workspaceId", "cardId");
DROP INDEX "checklists_workspaceId_idx";
CREATE INDEX "comments_workspaceId_cardId_idx" ON "comments"("workspaceId", "cardId");
DROP INDEX "comments_workspaceId_idx";
CREATE INDEX "attachments_workspaceId_cardId_idx" ON "attachments"("workspaceId", "cardId");
DROP INDEX "attachments_workspaceId_idx";
CREATE INDEX "checklist_items_workspaceId_checklistId_idx" ON "checklist_items"("workspaceId", "checklistId");
DROP INDEX "checklist_items_workspaceId_idx";
CREATE INDEX "card_labels_labelId_workspaceId_idx" ON "card_labels"("labelId", "workspaceId");
DROP INDEX "card_labels_labelId_idx";
CREATE INDEX "imported_assignments_workspaceId_cardId_idx" ON "imported_assignments"("workspaceId", "cardId");

-- One index for the foreign key to lists and for reads of a whole board. Cards of a list are read by
-- their positions: with an index of its own, PostgreSQL may read all of them and sort.
CREATE INDEX "cards_boardId_listId_idx" ON "cards"("boardId", "listId");
DROP INDEX "cards_boardId_id_idx";
DROP INDEX "cards_listId_idx";

-- A card has few rows, also when statistics come from a moment when one card had all of them: else a
-- count per card would read the whole table.
ALTER TABLE "card_labels" ALTER COLUMN "cardId" SET (n_distinct = -0.2);
ALTER TABLE "card_members" ALTER COLUMN "cardId" SET (n_distinct = -0.2);
ALTER TABLE "checklists" ALTER COLUMN "cardId" SET (n_distinct = -0.2);
ALTER TABLE "comments" ALTER COLUMN "cardId" SET (n_distinct = -0.2);
ALTER TABLE "attachments" ALTER COLUMN "cardId" SET (n_distinct = -0.2);
ALTER TABLE "checklist_items" ALTER COLUMN "checklistId" SET (n_distinct = -0.2);

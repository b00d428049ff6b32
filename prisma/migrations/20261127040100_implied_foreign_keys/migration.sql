-- A card has the board and the workspace of its list, and what is on a card the workspace of the card: foreign
-- keys of several columns say so, and deletions cascade through them. Each check that they imply costs a query
-- and a lock of the row of the workspace.
ALTER TABLE "cards" DROP CONSTRAINT "cards_workspaceId_fkey";
ALTER TABLE "cards" DROP CONSTRAINT "cards_boardId_fkey";
ALTER TABLE "card_labels" DROP CONSTRAINT "card_labels_workspaceId_fkey";
ALTER TABLE "card_members" DROP CONSTRAINT "card_members_workspaceId_fkey";
ALTER TABLE "checklists" DROP CONSTRAINT "checklists_workspaceId_fkey";
ALTER TABLE "checklist_items" DROP CONSTRAINT "checklist_items_workspaceId_fkey";
ALTER TABLE "comments" DROP CONSTRAINT "comments_workspaceId_fkey";
ALTER TABLE "attachments" DROP CONSTRAINT "attachments_workspaceId_fkey";
ALTER TABLE "imported_assignments" DROP CONSTRAINT "imported_assignments_workspaceId_fkey";

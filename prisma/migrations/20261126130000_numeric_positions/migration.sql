-- By hand: positions become numbers that statements compute. Each parent keeps its order.
DROP INDEX "lists_position_live";
DROP INDEX "cards_position_live";
DROP INDEX "checklists_position_live";
DROP INDEX "checklist_items_position_live";

ALTER TABLE "lists" DROP CONSTRAINT "lists_position_check";
ALTER TABLE "cards" DROP CONSTRAINT "cards_position_check";
ALTER TABLE "checklists" DROP CONSTRAINT "checklists_position_check";
ALTER TABLE "checklist_items" DROP CONSTRAINT "checklist_items_position_check";

ALTER TABLE "lists" RENAME COLUMN "position" TO "key";
ALTER TABLE "cards" RENAME COLUMN "position" TO "key";
ALTER TABLE "checklists" RENAME COLUMN "position" TO "key";
ALTER TABLE "checklist_items" RENAME COLUMN "position" TO "key";
ALTER TABLE "lists" ADD COLUMN "position" DECIMAL;
ALTER TABLE "cards" ADD COLUMN "position" DECIMAL;
ALTER TABLE "checklists" ADD COLUMN "position" DECIMAL;
ALTER TABLE "checklist_items" ADD COLUMN "position" DECIMAL;

UPDATE "lists" t SET "position" = n.nth FROM (
  SELECT id, row_number() OVER (PARTITION BY "boardId" ORDER BY "key", id) AS nth FROM "lists") n
WHERE t.id = n.id;
UPDATE "cards" t SET "position" = n.nth FROM (
  SELECT id, row_number() OVER (PARTITION BY "listId" ORDER BY "key", id) AS nth FROM "cards") n
WHERE t.id = n.id;
UPDATE "checklists" t SET "position" = n.nth FROM (
  SELECT id, row_number() OVER (PARTITION BY "cardId" ORDER BY "key", id) AS nth FROM "checklists") n
WHERE t.id = n.id;
UPDATE "checklist_items" t SET "position" = n.nth FROM (
  SELECT id, row_number() OVER (PARTITION BY "checklistId" ORDER BY "key", id) AS nth
  FROM "checklist_items") n
WHERE t.id = n.id;

ALTER TABLE "lists" DROP COLUMN "key", ALTER COLUMN "position" SET NOT NULL;
ALTER TABLE "cards" DROP COLUMN "key", ALTER COLUMN "position" SET NOT NULL;
ALTER TABLE "checklists" DROP COLUMN "key", ALTER COLUMN "position" SET NOT NULL;
ALTER TABLE "checklist_items" DROP COLUMN "key", ALTER COLUMN "position" SET NOT NULL;

CREATE UNIQUE INDEX "lists_position_live" ON "lists" ("boardId", "position") WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "cards_position_live" ON "cards" ("listId", "position") INCLUDE ("archivedAt", "dueDate") WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "checklists_position_live" ON "checklists" ("cardId", "position") WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "checklist_items_position_live" ON "checklist_items" ("checklistId", "position") WHERE "deletedAt" IS NULL;

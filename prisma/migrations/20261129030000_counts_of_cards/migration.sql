-- The row of a card has what lists of cards count on it, and whether it has anything of the other parts.
ALTER TABLE "cards"
  ADD COLUMN "commentCount" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "itemCount" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "completedItemCount" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "attachmentCount" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "hasLabels" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "hasMembers" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "hasFieldValues" BOOLEAN NOT NULL DEFAULT false;

UPDATE "cards" c SET "commentCount" = has.comments, "itemCount" = has.items,
  "completedItemCount" = has.completed, "attachmentCount" = has.attachments,
  "hasLabels" = has.labels > 0, "hasMembers" = has.members > 0, "hasFieldValues" = has."values" > 0
FROM (
  SELECT id, sum(comments)::int AS comments, sum(items)::int AS items,
    sum(completed)::int AS completed, sum(attachments)::int AS attachments,
    sum(labels) AS labels, sum(members) AS members, sum("values") AS "values"
  FROM (
    SELECT "cardId" AS id, count(*) AS comments, 0 AS items, 0 AS completed, 0 AS attachments,
      0 AS labels, 0 AS members, 0 AS "values"
    FROM "comments" WHERE "deletedAt" IS NULL GROUP BY 1
    UNION ALL SELECT ch."cardId", 0, count(*), count(i."completedAt"), 0, 0, 0, 0
    FROM "checklists" ch JOIN "checklist_items" i ON i."checklistId" = ch.id
    WHERE ch."deletedAt" IS NULL AND i."deletedAt" IS NULL GROUP BY 1
    UNION ALL SELECT "cardId", 0, 0, 0, count(*), 0, 0, 0
    FROM "attachments" WHERE "deletedAt" IS NULL AND status = 'stored' GROUP BY 1
    UNION ALL SELECT "cardId", 0, 0, 0, 0, count(*), 0, 0 FROM "card_labels" GROUP BY 1
    UNION ALL SELECT "cardId", 0, 0, 0, 0, 0, count(*), 0 FROM "card_members" GROUP BY 1
    UNION ALL SELECT "cardId", 0, 0, 0, 0, 0, 0, count(*) FROM "card_field_values" GROUP BY 1
  ) parts GROUP BY id
) has WHERE has.id = c.id;

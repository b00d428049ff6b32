-- Slugs keep the capitals that they are given, and are compared without regard to case. They are ASCII.
ALTER TABLE workspaces DROP CONSTRAINT workspaces_slug_check;
ALTER TABLE boards DROP CONSTRAINT boards_slug_check;

DROP INDEX workspaces_slug_key;
CREATE UNIQUE INDEX workspaces_slug_key ON workspaces (lower(slug COLLATE "C"));

DROP INDEX boards_slug_live;
CREATE UNIQUE INDEX boards_slug_live ON boards ("workspaceId", lower(slug COLLATE "C"))
  WHERE "deletedAt" IS NULL;

-- The steps from version 0.1.0 to 0.2.0. A database of 0.1.0 has applied these:
-- released: 20261120000000_init
-- released: 20261120000001_jobs
-- released: 20261120000002_search
-- released: 20261120131455_deliveries
-- released: 20261120131535_imports
-- released: 20261120132043_feed_clock
-- released: 20261120140500_pending_attachments
-- released: 20261120170851_look_ups_across_workspaces

-- step: 20261122045900_job_kind_anonymize_user
-- The job that removes a deleted user's name from the history has a kind that says so.
UPDATE "jobs" SET "kind" = 'anonymizeUser' WHERE "kind" = 'forget';
-- step: 20261122060000_tenant_integrity
-- DropForeignKey
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_boardId_fkey";

-- DropForeignKey
ALTER TABLE "attachments" DROP CONSTRAINT "attachments_cardId_fkey";

-- DropForeignKey
ALTER TABLE "board_members" DROP CONSTRAINT "board_members_boardId_fkey";

-- DropForeignKey
ALTER TABLE "board_members" DROP CONSTRAINT "board_members_memberId_fkey";

-- DropForeignKey
ALTER TABLE "card_labels" DROP CONSTRAINT "card_labels_cardId_fkey";

-- DropForeignKey
ALTER TABLE "card_labels" DROP CONSTRAINT "card_labels_labelId_fkey";

-- DropForeignKey
ALTER TABLE "card_members" DROP CONSTRAINT "card_members_cardId_fkey";

-- DropForeignKey
ALTER TABLE "card_members" DROP CONSTRAINT "card_members_memberId_fkey";

-- DropForeignKey
ALTER TABLE "cards" DROP CONSTRAINT "cards_listId_fkey";

-- DropForeignKey
ALTER TABLE "checklist_items" DROP CONSTRAINT "checklist_items_checklistId_fkey";

-- DropForeignKey
ALTER TABLE "checklists" DROP CONSTRAINT "checklists_cardId_fkey";

-- DropForeignKey
ALTER TABLE "comments" DROP CONSTRAINT "comments_cardId_fkey";

-- DropForeignKey
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_webhookId_fkey";

-- DropForeignKey
ALTER TABLE "import_files" DROP CONSTRAINT "import_files_importId_fkey";

-- DropForeignKey
ALTER TABLE "import_losses" DROP CONSTRAINT "import_losses_importId_fkey";

-- DropForeignKey
ALTER TABLE "invites" DROP CONSTRAINT "invites_roleId_fkey";

-- DropForeignKey
ALTER TABLE "labels" DROP CONSTRAINT "labels_boardId_fkey";

-- DropForeignKey
ALTER TABLE "lists" DROP CONSTRAINT "lists_boardId_fkey";

-- DropForeignKey
ALTER TABLE "member_overrides" DROP CONSTRAINT "member_overrides_memberId_fkey";

-- DropForeignKey
ALTER TABLE "members" DROP CONSTRAINT "members_roleId_fkey";

-- DropIndex
DROP INDEX "imports_workspaceId_id_idx";

-- CreateIndex
CREATE UNIQUE INDEX "boards_id_workspaceId_key" ON "boards"("id", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "cards_id_workspaceId_key" ON "cards"("id", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "checklists_id_workspaceId_key" ON "checklists"("id", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "imports_workspaceId_id_key" ON "imports"("workspaceId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "labels_id_workspaceId_key" ON "labels"("id", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "lists_id_boardId_workspaceId_key" ON "lists"("id", "boardId", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "members_id_workspaceId_key" ON "members"("id", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "roles_id_workspaceId_key" ON "roles"("id", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "webhooks_id_workspaceId_key" ON "webhooks"("id", "workspaceId");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES "boards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_roleId_workspaceId_fkey" FOREIGN KEY ("roleId", "workspaceId") REFERENCES "roles"("id", "workspaceId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_invitedById_fkey" FOREIGN KEY ("invitedById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_overrides" ADD CONSTRAINT "member_overrides_memberId_workspaceId_fkey" FOREIGN KEY ("memberId", "workspaceId") REFERENCES "members"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_roleId_workspaceId_fkey" FOREIGN KEY ("roleId", "workspaceId") REFERENCES "roles"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "boards" ADD CONSTRAINT "boards_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "board_members" ADD CONSTRAINT "board_members_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES "boards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "board_members" ADD CONSTRAINT "board_members_memberId_workspaceId_fkey" FOREIGN KEY ("memberId", "workspaceId") REFERENCES "members"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lists" ADD CONSTRAINT "lists_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES "boards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lists" ADD CONSTRAINT "lists_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cards" ADD CONSTRAINT "cards_listId_boardId_workspaceId_fkey" FOREIGN KEY ("listId", "boardId", "workspaceId") REFERENCES "lists"("id", "boardId", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cards" ADD CONSTRAINT "cards_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "labels" ADD CONSTRAINT "labels_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES "boards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "labels" ADD CONSTRAINT "labels_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_labels" ADD CONSTRAINT "card_labels_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "card_labels" ADD CONSTRAINT "card_labels_labelId_workspaceId_fkey" FOREIGN KEY ("labelId", "workspaceId") REFERENCES "labels"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "card_members" ADD CONSTRAINT "card_members_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "card_members" ADD CONSTRAINT "card_members_memberId_workspaceId_fkey" FOREIGN KEY ("memberId", "workspaceId") REFERENCES "members"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "checklists" ADD CONSTRAINT "checklists_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "checklists" ADD CONSTRAINT "checklists_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checklist_items" ADD CONSTRAINT "checklist_items_checklistId_workspaceId_fkey" FOREIGN KEY ("checklistId", "workspaceId") REFERENCES "checklists"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "checklist_items" ADD CONSTRAINT "checklist_items_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_webhookId_workspaceId_fkey" FOREIGN KEY ("webhookId", "workspaceId") REFERENCES "webhooks"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_losses" ADD CONSTRAINT "import_losses_workspaceId_importId_fkey" FOREIGN KEY ("workspaceId", "importId") REFERENCES "imports"("workspaceId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_workspaceId_importId_fkey" FOREIGN KEY ("workspaceId", "importId") REFERENCES "imports"("workspaceId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- By hand from here on.

-- A move of a board to another workspace changes many tables. Its transaction defers these checks.
ALTER TABLE "api_keys" ALTER CONSTRAINT "api_keys_boardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "members" ALTER CONSTRAINT "members_roleId_workspaceId_fkey" DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "member_overrides" ALTER CONSTRAINT "member_overrides_memberId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "invites" ALTER CONSTRAINT "invites_roleId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "board_members" ALTER CONSTRAINT "board_members_boardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "board_members" ALTER CONSTRAINT "board_members_memberId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "lists" ALTER CONSTRAINT "lists_boardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "cards" ALTER CONSTRAINT "cards_listId_boardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "labels" ALTER CONSTRAINT "labels_boardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "card_labels" ALTER CONSTRAINT "card_labels_cardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "card_labels" ALTER CONSTRAINT "card_labels_labelId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "card_members" ALTER CONSTRAINT "card_members_cardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "card_members" ALTER CONSTRAINT "card_members_memberId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "checklists" ALTER CONSTRAINT "checklists_cardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "checklist_items" ALTER CONSTRAINT "checklist_items_checklistId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "comments" ALTER CONSTRAINT "comments_cardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "attachments" ALTER CONSTRAINT "attachments_cardId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "deliveries" ALTER CONSTRAINT "deliveries_webhookId_workspaceId_fkey" DEFERRABLE;
ALTER TABLE "import_losses" ALTER CONSTRAINT "import_losses_workspaceId_importId_fkey" DEFERRABLE;
ALTER TABLE "import_files" ALTER CONSTRAINT "import_files_workspaceId_importId_fkey" DEFERRABLE;

-- Optional parents: a composite foreign key cannot set only its own column to null.
CREATE FUNCTION check_parent_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent text := TG_ARGV[0];
  foreign_key text := TG_ARGV[1];
  same boolean;
BEGIN
  EXECUTE format('SELECT "workspaceId" = ($1)."workspaceId" FROM %I WHERE id = ($1).%I', parent, foreign_key)
    INTO same USING NEW;
  IF same IS NOT TRUE THEN
    RAISE EXCEPTION '%.% names a row of another workspace', TG_TABLE_NAME, foreign_key
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "checklist_items_memberId_workspace" AFTER INSERT OR UPDATE OF "memberId", "workspaceId" ON "checklist_items"
  DEFERRABLE FOR EACH ROW WHEN (NEW."memberId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('members', 'memberId');

CREATE CONSTRAINT TRIGGER "invites_memberId_workspace" AFTER INSERT OR UPDATE OF "memberId", "workspaceId" ON "invites"
  DEFERRABLE FOR EACH ROW WHEN (NEW."memberId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('members', 'memberId');

CREATE CONSTRAINT TRIGGER "webhooks_boardId_workspace" AFTER INSERT OR UPDATE OF "boardId", "workspaceId" ON "webhooks"
  DEFERRABLE FOR EACH ROW WHEN (NEW."boardId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('boards', 'boardId');

CREATE CONSTRAINT TRIGGER "imported_things_boardId_workspace" AFTER INSERT OR UPDATE OF "boardId", "workspaceId" ON "imported_things"
  DEFERRABLE FOR EACH ROW WHEN (NEW."boardId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('boards', 'boardId');

CREATE CONSTRAINT TRIGGER "imported_things_importId_workspace" AFTER INSERT OR UPDATE OF "importId", "workspaceId" ON "imported_things"
  DEFERRABLE FOR EACH ROW WHEN (NEW."importId" IS NOT NULL)
  EXECUTE FUNCTION check_parent_workspace('imports', 'importId');

-- The permissions, once, for every table that stores them.
CREATE FUNCTION are_permissions(names text[]) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT
  RETURN names <@ ARRAY['workspace:view', 'workspace:edit', 'workspace:delete', 'workspace:manage', 'board:view', 'board:create', 'board:edit', 'board:delete', 'list:view', 'list:create', 'list:edit', 'list:delete', 'card:view', 'card:create', 'card:edit', 'card:delete', 'comment:view', 'comment:create', 'comment:edit', 'comment:delete', 'member:view', 'member:invite', 'member:edit', 'member:remove'];
ALTER TABLE "roles" DROP CONSTRAINT "roles_permissions_check";
ALTER TABLE "roles" ADD CONSTRAINT "roles_permissions_check" CHECK (are_permissions("permissions"));
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_permissions_check" CHECK (are_permissions("permissions"));
ALTER TABLE "member_overrides" ADD CONSTRAINT "member_overrides_permission_check" CHECK (are_permissions(ARRAY["permission"]));

-- Kinds that are stored as text.
UPDATE "jobs" SET "kind" = 'anonymizeUser' WHERE "kind" = 'forget';
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_kind_check" CHECK ("kind" IN ('mail', 'digest', 'dueSoon', 'purge', 'import', 'anonymizeUser'));
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_type_check" CHECK ("type" IN ('assigned', 'mentioned', 'watched', 'due_soon', 'invited', 'webhook_disabled'));
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_provider_check" CHECK ("provider" IN ('github', 'trello'));
ALTER TABLE "oauth_states" ADD CONSTRAINT "oauth_states_provider_check" CHECK ("provider" IN ('github', 'trello'));
ALTER TABLE "imports" ADD CONSTRAINT "imports_source_check" CHECK ("source" IN ('trello', 'trelloFile', 'github', 'workspace'));
ALTER TABLE "imports" ADD CONSTRAINT "imports_family_check" CHECK ("family" IN ('trello', 'github', 'workspace'));
ALTER TABLE "imported_things" ADD CONSTRAINT "imported_things_source_check" CHECK ("source" IN ('trello', 'github', 'workspace'));
ALTER TABLE "events" ADD CONSTRAINT "events_credential_check" CHECK ("credential" IN ('session', 'apiKey', 'issuer'));
ALTER TABLE "events" ADD CONSTRAINT "events_type_check" CHECK ("type" ~ '^[a-z_]+\.[a-z_]+$');
-- step: 20261122071500_event_mutation_id
-- AlterTable
ALTER TABLE "events" ADD COLUMN     "mutationId" TEXT;
-- step: 20261122071500_oauth_results
-- A connection is finished by the browser or the session that started it.
-- Authorizations in progress are started again: they last ten minutes.
ALTER TABLE "oauth_states" ADD COLUMN "sessionId" BIGINT, ADD COLUMN "nonceHash" TEXT,
  ADD COLUMN "resultHash" TEXT, ADD COLUMN "code" TEXT;

CREATE UNIQUE INDEX "oauth_states_resultHash_key" ON "oauth_states"("resultHash");
-- step: 20261122073000_client_ids
-- CreateTable
CREATE TABLE "client_ids" (
    "id" BIGSERIAL NOT NULL,
    "publicId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "goneAt" TIMESTAMPTZ(3),

    CONSTRAINT "client_ids_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "client_ids_publicId_key" ON "client_ids"("publicId");

-- CreateIndex
CREATE INDEX "client_ids_createdAt_idx" ON "client_ids"("createdAt");
-- step: 20261122073500_verified_addresses
-- An address is verified when an issuer vouched for it, or its owner used a mailed invite code.
ALTER TABLE "users" ADD COLUMN "emailVerifiedAt" TIMESTAMPTZ(3);

UPDATE "users" u SET "emailVerifiedAt" = u."createdAt"
WHERE u."issuer" IS NOT NULL OR EXISTS (
  SELECT 1 FROM "members" m JOIN "invites" i ON i."memberId" = m.id AND i."uses" > 0
  WHERE m."userId" = u.id AND m."email" = u."email");
-- step: 20261122080000_event_references
-- By hand: references that crossed workspaces would be refused.
UPDATE "deliveries" d SET "eventId" = NULL FROM "events" e
  WHERE e."id" = d."eventId" AND e."workspaceId" <> d."workspaceId";
UPDATE "notifications" n SET "eventId" = NULL FROM "events" e
  WHERE e."id" = n."eventId" AND e."workspaceId" <> n."workspaceId";

-- DropForeignKey
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_eventId_fkey";

-- DropForeignKey
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_eventId_fkey";

-- DropIndex
DROP INDEX "events_workspaceId_id_idx";

-- CreateIndex
CREATE UNIQUE INDEX "events_workspaceId_id_key" ON "events"("workspaceId", "id");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspaceId_eventId_fkey" FOREIGN KEY ("workspaceId", "eventId") REFERENCES "events"("workspaceId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_workspaceId_eventId_fkey" FOREIGN KEY ("workspaceId", "eventId") REFERENCES "events"("workspaceId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- By hand: before PostgreSQL 15 a composite foreign key cannot set one column to null.
CREATE FUNCTION clear_event_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries SET "eventId" = NULL WHERE "eventId" = OLD.id;
  UPDATE notifications SET "eventId" = NULL WHERE "eventId" = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER "events_clear_references" BEFORE DELETE ON "events"
  FOR EACH ROW EXECUTE FUNCTION clear_event_references();
-- step: 20261122080000_imported_people
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
-- step: 20261122080000_job_priority
-- Sign-in mail goes first, and a workspace that queues many mails waits behind the others.
ALTER TABLE "jobs" ADD COLUMN "priority" INTEGER NOT NULL DEFAULT 0;

CREATE INDEX "jobs_next" ON "jobs" ("priority", "runAt", "id")
  WHERE "status" IN ('queued', 'running');
CREATE INDEX "jobs_live_of_workspace" ON "jobs" ("workspaceId", "kind")
  WHERE "status" IN ('queued', 'running') AND "workspaceId" IS NOT NULL;
-- step: 20261122081500_sealed_invite_codes
-- Codes are found by their SHA-256. Mailed codes are not stored. The service seals the codes of
-- existing links at its next start: it alone has the key.
ALTER TABLE "invites" RENAME COLUMN "code" TO "sealedCode";
ALTER TABLE "invites" ALTER COLUMN "sealedCode" DROP NOT NULL;
DROP INDEX "invites_code_key";
ALTER TABLE "invites" ADD COLUMN "codeHash" TEXT;

UPDATE "invites" SET "codeHash" = encode(sha256(convert_to("sealedCode", 'UTF8')), 'hex');
UPDATE "invites" SET "sealedCode" = NULL WHERE "memberId" IS NOT NULL OR "deactivatedAt" IS NOT NULL;

ALTER TABLE "invites" ALTER COLUMN "codeHash" SET NOT NULL;
CREATE UNIQUE INDEX "invites_codeHash_key" ON "invites"("codeHash");
CREATE INDEX "invites_unsealed" ON "invites" ("id") WHERE "sealedCode" NOT LIKE 'v1.%';
-- step: 20261122105000_import_reports
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
-- step: 20261122140000_search_texts
-- By hand, because Prisma has no words for it.

CREATE EXTENSION IF NOT EXISTS btree_gin;

DROP INDEX "boards_words";
DROP INDEX "cards_words";
DROP INDEX "comments_words";
DROP INDEX "cards_trigrams";
DROP FUNCTION mistyped_cards(bigint, text);

-- The words of boards, cards and comments, apart from their rows: a move or a label changes no word.
CREATE TABLE "search_texts" (
  "type" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  "scopeId" BIGINT NOT NULL,
  "titleHash" BIGINT,
  "words" tsvector NOT NULL,
  CONSTRAINT "search_texts_pkey" PRIMARY KEY ("type", "id"),
  CONSTRAINT "search_texts_type_check" CHECK ("type" IN ('board', 'card', 'comment'))
);

-- The words of the names of boards and cards, for mistyped queries. A stale row is a word that left a name: the purge
-- looks whether another name has it. Rows are only added, so that no transaction waits for another one.
-- No foreign key: an index of all words of a workspace would be taken for the search of similar ones.
CREATE TABLE "search_words" (
  "id" BIGSERIAL NOT NULL,
  "workspaceId" BIGINT NOT NULL,
  "word" TEXT NOT NULL,
  "isStale" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "search_words_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "search_words_word_workspaceId_idx" ON "search_words"("word", "workspaceId");
CREATE INDEX "search_words_stale" ON "search_words"("id") WHERE "isStale";
CREATE INDEX "search_words_trigrams" ON "search_words" USING gin ("workspaceId", "word" gin_trgm_ops)
  WITH (gin_pending_list_limit = 64) WHERE NOT "isStale";

-- The words of a name with weight A, and those of a text.
CREATE FUNCTION words_of(name text, body text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT setweight(to_tsvector('simple', coalesce(name, '')), 'A') || to_tsvector('simple', left(coalesce(body, ''), 100000)) $$;

CREATE FUNCTION title_hash(title text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT hashtextextended(lower(title), 0) $$;

-- What the index holds: words behind the id of their board (of their workspace, for boards) and a letter.
-- So a search reads the words of the boards that it is in, and no others.
-- b, n and x: words of a board, those of its name, and the whole name. c, t and e: the same of a card. o: of a comment.
CREATE FUNCTION search_tokens(type text, scope bigint, title bigint, words tsvector) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000
AS $$
DECLARE
  every text := scope || CASE type WHEN 'board' THEN 'b' WHEN 'card' THEN 'c' ELSE 'o' END;
  named text := scope || CASE type WHEN 'board' THEN 'n' ELSE 't' END;
  whole text := scope || CASE type WHEN 'board' THEN 'x' ELSE 'e' END;
BEGIN
  IF length(words) < 5000 THEN
    RETURN array_to_tsvector(ARRAY(
      SELECT every || left(lexeme, 200) FROM unnest(words)
      UNION ALL SELECT named || left(lexeme, 200) FROM unnest(words) WHERE 'A' = ANY (weights)
      UNION ALL SELECT whole || title WHERE title IS NOT NULL));
  END IF;
  -- A tsvector has at most one megabyte.
  RETURN array_to_tsvector(ARRAY(
    SELECT token FROM (
      SELECT token, sum(octet_length(token)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (
        SELECT whole || title AS token WHERE title IS NOT NULL
        UNION ALL SELECT named || left(lexeme, 200) FROM unnest(words) WHERE 'A' = ANY (weights)
        UNION ALL SELECT every || left(lexeme, 200) FROM unnest(words)) AS tokens) AS measured
    WHERE bytes < 1000000));
END $$;

-- A token as it stands in the text of a tsquery.
CREATE FUNCTION search_key(token text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT '''' || replace(replace(token, '\', '\\'), '''', '''''') || '''' $$;

-- The words of names that are like a word, the most similar first.
CREATE FUNCTION similar_words(workspace bigint, query text) RETURNS SETOF text
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.45
AS $$ SELECT word FROM search_words WHERE "workspaceId" = workspace AND NOT "isStale" AND query <% word
  GROUP BY word ORDER BY word_similarity(query, word) DESC, length(word), word LIMIT 12 $$;

-- The words of a name that can be mistyped: a number cannot.
CREATE FUNCTION words_of_name(name text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 6
AS $$ SELECT left(lexeme, 200) FROM unnest(to_tsvector('simple', name)) WHERE lexeme ~ '[^[:digit:].,+-]' $$;

CREATE FUNCTION add_search_words(workspace bigint, name text) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN
  INSERT INTO search_words ("workspaceId", word)
  SELECT workspace, word FROM words_of_name(name) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."workspaceId" = workspace AND s.word = word.word);
END $$;

-- The triggers: statements that insert or delete many rows, and rows whose words or board change.

CREATE FUNCTION search_boards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    VALUES ('board', NEW.id, NEW."workspaceId", title_hash(NEW.name), words_of(NEW.name, NEW.description));
    PERFORM add_search_words(NEW."workspaceId", NEW.name);
  ELSE
    UPDATE search_texts SET "scopeId" = NEW."workspaceId", "titleHash" = title_hash(NEW.name),
      words = words_of(NEW.name, NEW.description)
    WHERE type = 'board' AND id = NEW.id;
    PERFORM add_search_words(NEW."workspaceId", NEW.name);
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT OLD."workspaceId", word, true FROM words_of_name(OLD.name) AS word
    WHERE OLD."workspaceId" <> NEW."workspaceId" OR word NOT IN (SELECT words_of_name(NEW.name));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "boards_search_insert" AFTER INSERT ON "boards" FOR EACH ROW EXECUTE FUNCTION search_boards();
CREATE TRIGGER "boards_search_update" AFTER UPDATE OF "name", "description", "workspaceId" ON "boards" FOR EACH ROW
  WHEN ((OLD."name", OLD."description", OLD."workspaceId") IS DISTINCT FROM (NEW."name", NEW."description", NEW."workspaceId"))
  EXECUTE FUNCTION search_boards();

CREATE FUNCTION search_inserted_cards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
  SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM new_rows;
  INSERT INTO search_words ("workspaceId", word)
  SELECT DISTINCT n."workspaceId", word FROM new_rows n, words_of_name(n.title) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."workspaceId" = n."workspaceId" AND s.word = word.word);
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_search_insert" AFTER INSERT ON "cards" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_inserted_cards();

CREATE FUNCTION search_updated_card() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (OLD.title, OLD.description, OLD."boardId") IS DISTINCT FROM (NEW.title, NEW.description, NEW."boardId") THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId", "titleHash" = title_hash(NEW.title),
      words = words_of(NEW.title, NEW.description)
    WHERE type = 'card' AND id = NEW.id;
  END IF;
  IF OLD."boardId" <> NEW."boardId" THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId"
    WHERE type = 'comment' AND id IN (SELECT id FROM comments WHERE "cardId" = NEW.id);
  END IF;
  IF OLD.title <> NEW.title OR OLD."workspaceId" <> NEW."workspaceId" THEN
    PERFORM add_search_words(NEW."workspaceId", NEW.title);
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT OLD."workspaceId", word, true FROM words_of_name(OLD.title) AS word
    WHERE OLD."workspaceId" <> NEW."workspaceId" OR word NOT IN (SELECT words_of_name(NEW.title));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_search_update" AFTER UPDATE OF "title", "description", "boardId", "workspaceId" ON "cards" FOR EACH ROW
  WHEN ((OLD."title", OLD."description", OLD."boardId", OLD."workspaceId")
    IS DISTINCT FROM (NEW."title", NEW."description", NEW."boardId", NEW."workspaceId"))
  EXECUTE FUNCTION search_updated_card();

CREATE FUNCTION search_comments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", words)
    SELECT 'comment', n.id, c."boardId", words_of(NULL, left(n.comment, 20000))
    FROM new_rows n JOIN cards c ON c.id = n."cardId";
  ELSE
    UPDATE search_texts SET words = words_of(NULL, left(NEW.comment, 20000)) WHERE type = 'comment' AND id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "comments_search_insert" AFTER INSERT ON "comments" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_comments();
CREATE TRIGGER "comments_search_update" AFTER UPDATE OF "comment" ON "comments" FOR EACH ROW
  WHEN (OLD."comment" <> NEW."comment") EXECUTE FUNCTION search_comments();

CREATE FUNCTION search_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM search_texts s USING old_rows o WHERE s.type = TG_ARGV[0] AND s.id = o.id;
  IF TG_ARGV[0] = 'card' THEN
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT DISTINCT w.id, word, true FROM old_rows o JOIN workspaces w ON w.id = o."workspaceId", words_of_name(o.title) AS word;
  ELSIF TG_ARGV[0] = 'board' THEN
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT DISTINCT w.id, word, true FROM old_rows o JOIN workspaces w ON w.id = o."workspaceId", words_of_name(o.name) AS word;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "boards_search_delete" AFTER DELETE ON "boards" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('board');
CREATE TRIGGER "cards_search_delete" AFTER DELETE ON "cards" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('card');
CREATE TRIGGER "comments_search_delete" AFTER DELETE ON "comments" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('comment');

-- The rows that exist.
INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
SELECT 'board', id, "workspaceId", title_hash(name), words_of(name, description) FROM boards
UNION ALL SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM cards
UNION ALL SELECT 'comment', co.id, c."boardId", NULL, words_of(NULL, left(co.comment, 20000))
FROM comments co JOIN cards c ON c.id = co."cardId";
INSERT INTO search_words ("workspaceId", word)
SELECT DISTINCT "workspaceId", word FROM (
  SELECT "workspaceId", words_of_name(name) AS word FROM boards
  UNION ALL SELECT "workspaceId", words_of_name(title) FROM cards) AS named;

-- Every search reads the list of words that writes have not sorted in yet: it stays short.
CREATE INDEX "search_texts_tokens" ON "search_texts"
  USING gin (search_tokens("type", "scopeId", "titleHash", "words")) WITH (gin_pending_list_limit = 64);
ANALYZE "search_texts";
ANALYZE "search_words";
-- step: 20261122140500_claim_idempotency_key
-- Claims an Idempotency-Key for the transaction; false when the answer of an earlier call is stored.
-- It fails while another transaction has the key: statements that were sent behind it then fail at
-- once, instead of waiting for the locks of that transaction.
CREATE FUNCTION claim_idempotency_key(
  scope_ text, key_ text, answered_since timestamptz, claimed_since timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF scope_ IS NULL THEN
    RETURN true;
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended(scope_ || ' ' || key_, 0)) THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
  DELETE FROM idempotency_keys
  WHERE scope = scope_ AND key = key_ AND "createdAt" <=
    CASE WHEN answer IS NULL THEN claimed_since ELSE answered_since END;
  RETURN NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE scope = scope_ AND key = key_);
END $$;
-- step: 20261122141000_card_counts
-- By hand, because Prisma has no words for it.

-- A list counts its cards and finds its first ones in the index alone.
DROP INDEX "cards_position_live";
CREATE UNIQUE INDEX "cards_position_live" ON "cards" ("listId", "position") INCLUDE ("archivedAt") WHERE "deletedAt" IS NULL;
-- step: 20261122160000_user_events
-- CreateTable
CREATE TABLE "user_events" (
    "id" BIGSERIAL NOT NULL,
    "userId" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "transactionId" BIGINT NOT NULL DEFAULT feed_position(),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "user_events_userId_transactionId_id_idx" ON "user_events"("userId", "transactionId", "id");

-- CreateIndex
CREATE INDEX "user_events_createdAt_idx" ON "user_events"("createdAt");

-- AddForeignKey
ALTER TABLE "user_events" ADD CONSTRAINT "user_events_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- step: 20261122170000_card_orders
-- A board lists its cards by due date and by creation in the order of an index.
DROP INDEX "cards_boardId_dueDate_idx";
CREATE INDEX "cards_boardId_dueDate_id_idx" ON "cards"("boardId", "dueDate", "id");
CREATE INDEX "cards_boardId_createdAt_id_idx" ON "cards"("boardId", "createdAt", "id");

-- By hand, because Prisma has no words for it.

-- A list finds its cards without a due date in the index alone.
DROP INDEX "cards_position_live";
CREATE UNIQUE INDEX "cards_position_live" ON "cards" ("listId", "position") INCLUDE ("archivedAt", "dueDate") WHERE "deletedAt" IS NULL;

-- A workspace lists its deleted cards in the order of an index.
CREATE INDEX "cards_trash" ON "cards" ("workspaceId", "deletedAt", "publicId") WHERE "deletedAt" IS NOT NULL;
-- step: 20261122170000_claims_of_processes
-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN "lockedBy" INTEGER;

-- Locks the number of a process for the session; false when another session has it.
CREATE FUNCTION lock_process(number_ integer) RETURNS boolean LANGUAGE sql AS $$
  SELECT pg_try_advisory_lock(1214540630, number_)
$$;

-- Whether a session has the number of a process; NULL for NULL.
CREATE FUNCTION is_process_alive(number_ integer) RETURNS boolean LANGUAGE sql STRICT AS $$
  SELECT NOT pg_try_advisory_xact_lock_shared(1214540630, number_)
$$;

-- A claim without an answer is over when its process is: the session of its number has ended.
CREATE OR REPLACE FUNCTION claim_idempotency_key(
  scope_ text, key_ text, answered_since timestamptz, claimed_since timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF scope_ IS NULL THEN
    RETURN true;
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended(scope_ || ' ' || key_, 0)) THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
  DELETE FROM idempotency_keys
  WHERE scope = scope_ AND key = key_ AND CASE
    WHEN answer IS NOT NULL THEN "createdAt" <= answered_since
    ELSE "createdAt" <= claimed_since OR is_process_alive("lockedBy") IS FALSE END;
  RETURN NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE scope = scope_ AND key = key_);
END $$;

-- Locks a claim for the transaction; it fails when another call has taken the key over.
CREATE FUNCTION lock_idempotency_claim(id_ bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM idempotency_keys WHERE id = id_ FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
END $$;
-- step: 20261122171000_time_zones
-- AlterTable
ALTER TABLE "users" ADD COLUMN     "timeZone" TEXT;

-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "timeZone" TEXT;
-- step: 20261122180000_card_changes
-- A board lists its cards by their last change in the order of an index.
CREATE INDEX "cards_boardId_updatedAt_id_idx" ON "cards"("boardId", "updatedAt", "id");

-- A user lists the cards that are assigned to them in the order of an index.
ALTER TABLE "card_members" ADD COLUMN "openDueDate" TIMESTAMPTZ(3);

-- By hand, because Prisma has no words for it.

-- `infinity` for a card without a due date, NULL for one that is archived or deleted.
CREATE FUNCTION open_due_date(due timestamptz, archived timestamptz, deleted timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN archived IS NULL AND deleted IS NULL THEN coalesce(due, 'infinity') END;

UPDATE card_members cm SET "openDueDate" = open_due_date(c."dueDate", c."archivedAt", c."deletedAt")
FROM cards c WHERE c.id = cm."cardId";
CREATE INDEX "card_members_open" ON "card_members" ("memberId", "openDueDate", "cardId") WHERE "openDueDate" IS NOT NULL;

-- The lock waits for a change of the card that is not committed yet.
CREATE FUNCTION set_open_due_date() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  SELECT open_due_date("dueDate", "archivedAt", "deletedAt") INTO NEW."openDueDate"
  FROM cards WHERE id = NEW."cardId" FOR SHARE;
  RETURN NEW;
END $$;
CREATE TRIGGER "card_members_open_due_date" BEFORE INSERT ON "card_members" FOR EACH ROW EXECUTE FUNCTION set_open_due_date();

CREATE FUNCTION change_open_due_dates() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE card_members SET "openDueDate" = open_due_date(NEW."dueDate", NEW."archivedAt", NEW."deletedAt")
  WHERE "cardId" = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_open_due_date" AFTER UPDATE OF "dueDate", "archivedAt", "deletedAt" ON "cards" FOR EACH ROW
  WHEN ((OLD."dueDate", OLD."archivedAt", OLD."deletedAt") IS DISTINCT FROM (NEW."dueDate", NEW."archivedAt", NEW."deletedAt"))
  EXECUTE FUNCTION change_open_due_dates();
-- step: 20261122180000_issuer_profiles
-- AlterTable
ALTER TABLE "users" ADD COLUMN     "issuerProfile" JSONB;
-- step: 20261122180000_log_order
-- AlterTable
ALTER TABLE "events" ADD COLUMN "xid" BIGINT;

-- By hand, because Prisma has no words for it.

-- The transaction that wrote the event, for readers that ask what an older snapshot showed.
ALTER TABLE "events" ALTER COLUMN "xid" SET DEFAULT pg_current_xact_id()::text::bigint;

-- Where an event that is written now stands in the feed: not before any event whose transaction
-- has ended. The id of the own transaction alone would not do: a transaction gets it with its first
-- lock, and may then wait for a transaction that began later.
--
-- It is never below the own id. So every event with a number below the oldest running transaction
-- has been committed, and every later one gets a higher number.
CREATE OR REPLACE FUNCTION "feed_position"() RETURNS BIGINT LANGUAGE sql VOLATILE
  RETURN greatest(pg_current_xact_id()::text::bigint,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
    + coalesce((SELECT "offset" FROM "feed_clock"), 0);

-- Transactions may share a number: each reserves a million ids, so that its events stay together.
ALTER SEQUENCE "events_id_seq" INCREMENT BY 1048576;
-- step: 20261123030000_imports
-- An import waits for limits and for failures of its source, each up to a number of times.
ALTER TABLE "imports" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;

-- The records of a card and its parts are found by their targets.
DROP INDEX "imported_items_boardId_idx";
CREATE INDEX "imported_items_boardId_targetId_idx" ON "imported_items"("boardId", "targetId");

-- By hand, because Prisma has no words for it.

-- The records of a card follow it to another board: they end with the board where the card is.
-- OFFSET 0 makes each look-up use the index, whatever the statistics of the table say.
CREATE FUNCTION move_import_records() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE imported_items SET "boardId" = NEW."boardId"
  WHERE "boardId" = OLD."boardId" AND "targetId" = NEW.id AND kind = 'card';
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE imported_items item SET "boardId" = NEW."boardId"
  FROM (
    SELECT found.id FROM (
      SELECT 'checklist' AS kind, id FROM checklists WHERE "cardId" = NEW.id
      UNION ALL SELECT 'checklistItem', i.id FROM checklist_items i
        JOIN checklists c ON c.id = i."checklistId" WHERE c."cardId" = NEW.id
      UNION ALL SELECT 'comment', id FROM comments WHERE "cardId" = NEW.id
      UNION ALL SELECT 'attachment', id FROM attachments WHERE "cardId" = NEW.id) part
    CROSS JOIN LATERAL (
      SELECT r.id FROM imported_items r
      WHERE r."boardId" = OLD."boardId" AND r."targetId" = part.id AND r.kind = part.kind
      OFFSET 0) found) moved
  WHERE item.id = moved.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_import_records" AFTER UPDATE OF "boardId" ON "cards" FOR EACH ROW
  WHEN (OLD."boardId" <> NEW."boardId") EXECUTE FUNCTION move_import_records();

-- The records of the cards that were moved before.
WITH card AS (
  SELECT c.id, c."boardId" FROM imported_items i
  JOIN cards c ON c.id = i."targetId" AND c."workspaceId" = i."workspaceId"
  WHERE i.kind = 'card' AND c."boardId" <> i."boardId"),
part AS (
  SELECT 'card' AS kind, id, "boardId" FROM card
  UNION ALL SELECT 'checklist', c.id, card."boardId" FROM card JOIN checklists c ON c."cardId" = card.id
  UNION ALL SELECT 'checklistItem', i.id, card."boardId" FROM card
    JOIN checklists c ON c."cardId" = card.id JOIN checklist_items i ON i."checklistId" = c.id
  UNION ALL SELECT 'comment', c.id, card."boardId" FROM card JOIN comments c ON c."cardId" = card.id
  UNION ALL SELECT 'attachment', a.id, card."boardId" FROM card
    JOIN attachments a ON a."cardId" = card.id)
UPDATE imported_items i SET "boardId" = part."boardId"
FROM part WHERE i.kind = part.kind AND i."targetId" = part.id;
-- step: 20261123063000_mail_recipients
-- A mail without a workspace waits behind those to the same recipient.
ALTER TABLE "jobs" ADD COLUMN "recipient" TEXT;

UPDATE "jobs" SET "recipient" = split_part("uniqueKey", ' ', 1)
WHERE "kind" = 'mail' AND "uniqueKey" IS NOT NULL AND "status" IN ('queued', 'running');

-- By hand, because Prisma has no words for it.
CREATE INDEX "jobs_live_of_recipient" ON "jobs" ("recipient")
  WHERE "status" IN ('queued', 'running') AND "recipient" IS NOT NULL AND "workspaceId" IS NULL;
-- step: 20261123070000_bounded_work
-- The invites that a user has sent in a day are counted for each invite.
CREATE INDEX "invites_createdById_createdAt_idx" ON "invites"("createdById", "createdAt");

-- By hand, because Prisma has no words for it.

-- A job mails the password reset of an account, if there is one.
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_kind_check";
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_kind_check" CHECK ("kind" IN ('mail', 'passwordReset', 'digest', 'dueSoon', 'purge', 'import', 'anonymizeUser'));
-- step: 20261125040000_live_webhooks
-- Writes and the dispatcher read the live webhooks of a workspace, which may have many deleted ones.
CREATE INDEX "webhooks_live" ON "webhooks" ("workspaceId") WHERE "deletedAt" IS NULL;
-- step: 20261125070000_job_accounts
-- The jobs of one account, in however many workspaces, have one share.
ALTER TABLE "jobs" ADD COLUMN "accountId" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "startedAt" TIMESTAMPTZ(3);

UPDATE "jobs" j SET "accountId" = coalesce(
    (SELECT coalesce(s."createdById", -s.id) FROM "workspaces" s WHERE s.id = j."workspaceId"),
    (j.payload ->> 'userId')::bigint, 0)
WHERE j.status IN ('queued', 'running')
  AND (j."workspaceId" IS NOT NULL OR j.kind = 'anonymizeUser');

-- By hand, because Prisma has no words for it.
DROP INDEX "jobs_live_of_workspace";
CREATE INDEX "jobs_live_of_account" ON "jobs" ("kind", "accountId", "runAt", "id")
  WHERE "status" IN ('queued', 'running');
CREATE INDEX "jobs_live_of_workspace" ON "jobs"
  ("kind", "accountId", (coalesce("workspaceId", 0)), "runAt", "id")
  WHERE "status" IN ('queued', 'running');
CREATE INDEX "jobs_running" ON "jobs" ("kind", "accountId") WHERE "status" = 'running';
CREATE INDEX "jobs_started_of_account" ON "jobs" ("kind", "accountId", "startedAt")
  WHERE "startedAt" IS NOT NULL;
CREATE INDEX "jobs_started_of_workspace" ON "jobs"
  ("kind", (coalesce("workspaceId", 0)), "startedAt") WHERE "startedAt" IS NOT NULL;
-- step: 20261125190000_label_boards
-- By hand, because Prisma has no triggers: a label on a card is one of the card's board.
DELETE FROM "card_labels" x USING "cards" c, "labels" l
WHERE c.id = x."cardId" AND l.id = x."labelId" AND c."boardId" <> l."boardId";

-- Checked at the end of the transaction: a card that moves has labels of both boards meanwhile.
CREATE FUNCTION check_label_board() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  card bigint;
BEGIN
  IF TG_TABLE_NAME = 'cards' THEN card := NEW.id; ELSE card := NEW."cardId"; END IF;
  IF EXISTS (SELECT 1 FROM card_labels x
      JOIN cards c ON c.id = x."cardId"
      JOIN labels l ON l.id = x."labelId"
      WHERE x."cardId" = card AND c."boardId" <> l."boardId") THEN
    RAISE EXCEPTION 'Card % has a label of another board', card
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "card_labels_labelId_board"
  AFTER INSERT OR UPDATE OF "cardId", "labelId" ON "card_labels"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_label_board();

CREATE CONSTRAINT TRIGGER "cards_boardId_labels" AFTER UPDATE OF "boardId" ON "cards"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD."boardId" <> NEW."boardId")
  EXECUTE FUNCTION check_label_board();
-- step: 20261126130000_log_numbers
-- AlterTable
ALTER TABLE "events" ADD COLUMN "number" BIGINT;
ALTER TABLE "user_events" ADD COLUMN "number" BIGINT, ADD COLUMN "publicId" TEXT;

-- CreateTable
CREATE TABLE "workspace_logs" (
    "workspaceId" BIGINT NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "workspace_logs_pkey" PRIMARY KEY ("workspaceId")
);

-- CreateTable
CREATE TABLE "user_logs" (
    "userId" BIGINT NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "user_logs_pkey" PRIMARY KEY ("userId")
);

-- By hand: the events get their numbers in the order in which feeds have shown them. History that
-- an import brought had the transaction 0, and gets no number.
UPDATE "events" e SET "number" = numbered."number"
FROM (SELECT "id", row_number() OVER (
    PARTITION BY "workspaceId" ORDER BY "transactionId", "id") AS "number"
  FROM "events" WHERE "transactionId" > 0) numbered
WHERE numbered."id" = e."id";
INSERT INTO "workspace_logs" ("workspaceId", "last")
SELECT "workspaceId", max("number") FROM "events" WHERE "number" IS NOT NULL GROUP BY 1;

UPDATE "user_events" e SET "number" = numbered."number", "publicId" = numbered."publicId"
FROM (SELECT one."id", row_number() OVER (
    PARTITION BY "userId" ORDER BY "transactionId", one."id") AS "number",
    (SELECT string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz',
      1 + floor(random() * 36)::int, 1), '')
      FROM generate_series(1, 12) WHERE one."id" IS NOT NULL) AS "publicId"
  FROM "user_events" one) numbered
WHERE numbered."id" = e."id";
INSERT INTO "user_logs" ("userId", "last")
SELECT "userId", max("number") FROM "user_events" GROUP BY 1;

-- Each transaction reserved a million ids, so that its events stayed together.
SELECT setval('events_id_seq', (SELECT last_value + 1048576 FROM "events_id_seq"));
ALTER SEQUENCE "events_id_seq" INCREMENT BY 1;

-- DropIndex
DROP INDEX "events_workspaceId_transactionId_id_idx";
DROP INDEX "user_events_userId_transactionId_id_idx";

-- AlterTable
ALTER TABLE "events" DROP COLUMN "transactionId", DROP COLUMN "xid";
ALTER TABLE "user_events" DROP COLUMN "transactionId",
  ALTER COLUMN "number" SET NOT NULL,
  ALTER COLUMN "publicId" SET NOT NULL;

-- By hand.
DROP FUNCTION "feed_position"();

-- DropTable
DROP TABLE "feed_clock";

-- CreateIndex
CREATE UNIQUE INDEX "events_workspaceId_number_key" ON "events"("workspaceId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "user_events_publicId_key" ON "user_events"("publicId");

-- CreateIndex
CREATE UNIQUE INDEX "user_events_userId_number_key" ON "user_events"("userId", "number");

-- AddForeignKey
ALTER TABLE "workspace_logs" ADD CONSTRAINT "workspace_logs_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_logs" ADD CONSTRAINT "user_logs_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- step: 20261126130000_numeric_positions
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
-- step: 20261126140000_restricted_slugs
-- A slug of a restricted board that can be guessed would tell its name to those who collide with it.
UPDATE boards SET slug = left(slug, 57) || '-' || substr(md5(random()::text || id), 1, 6)
WHERE visibility = 'restricted';
-- step: 20261126140000_search_by_board
-- Search without the character classes of the database's locale, and words by board.

DROP INDEX "search_texts_tokens";
DROP INDEX "search_words_trigrams";
DROP FUNCTION similar_words(bigint, text);
DROP FUNCTION add_search_words(bigint, text);
TRUNCATE "search_texts", "search_words";
ALTER TABLE "search_words" RENAME COLUMN "workspaceId" TO "boardId";
ALTER INDEX "search_words_word_workspaceId_idx" RENAME TO "search_words_word_boardId_idx";

-- A text without case, accents and compatibility forms. The collation "C" keeps it equal in every database.
CREATE FUNCTION search_fold(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE
  folded text COLLATE "C" := lower(value COLLATE "C");
  found text COLLATE "C";
  -- Capitals, and letters without a decomposition.
  capitals CONSTANT text COLLATE "C" :=
    'ÐØðøĐđĦħıĸŁłŦŧƀƁƂƃƄƆƇƈƉƊƋƌƍƎƏƐƑƒƓƔƖƗƘƙƚƛƜƝƞƟƤƥƦƧƫƬƭƮƱƲƳƴƵƶƸƼƿǀǁǃǝǤǥǷȜȝȠȡȤȥȴȵȶȷȺȻȼȽȾȿɀɁɃɄɅɆɇɈɉɊɋɌɍɎɏͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿÆŒÞẞŊŋЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲀᲁᲂᲃᲄᲅᲆᲇᲈᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿỺỼỾℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡';
  small CONSTANT text COLLATE "C" :=
    'dododdhhiqllttbbbbƅoccddddzeeeffggiikkllwnnopprƨttttuvyyzzƹƽwcxqeggwyyndzzlntjaccltszɂbuaeejjqqrryyͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωσϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽæœþßnnђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽвдосттъѣꙋᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿỻỽỿⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃';
BEGIN
  IF octet_length(folded) = length(folded) THEN RETURN folded; END IF;
  -- Accents, vowel points, and characters that are not seen.
  folded := lower(regexp_replace(normalize(value, NFKD) COLLATE "C",
    '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0640\u064b-\u065f\u0670'
    '\u200b-\u200f\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff\U000e0020-\U000e007f\U000e0100-\U000e01ef]', '', 'g'));
  -- translate() takes long for a long list: it gets the letters that occur.
  found := regexp_replace(folded, '[^' || capitals || ']+', '', 'g');
  IF found <> '' THEN
    found := array_to_string(tsvector_to_array(array_to_tsvector(string_to_array(found, NULL))), '');
    folded := translate(folded, found, translate(found, capitals, small));
  END IF;
  folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  RETURN CASE WHEN folded ~ '[\u0900-\U0010ffff]' THEN normalize(folded, NFC) ELSE folded END;
END $$;

-- The characters of scripts that are written without spaces, and signs.
CREATE FUNCTION search_run_class() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT
    '['
    '+#$%@=\u00a2-\u00a5\u00a7\u00a9\u00ac\u00ae-\u00b1\u00d7\u00f7\u0e01-\u0e4e\u0e50-\u0e59\u0e81-'
    '\u0f03\u0f13\u0f15-\u0f39\u0f3e-\u0f84\u0f86-\u0fcf\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-'
    '\u17d3\u17d7\u17db-\u17f9\u1950-\u19ff\u1a20-\u1a99\u1b00-\u1b4c\u1b50-\u1b59\u1b61-\u1b7c\u20a0-'
    '\u20cf\u2100-\u2307\u230c-\u2767\u2776-\u27c4\u27c7-\u27e5\u27f0-\u2982\u2999-\u29d7\u29dc-\u29fb'
    '\u29fe-\u2bff\u2e80-\u2fff\u3004-\u3007\u3012-\u3013\u3020-\u302f\u3031-\u303c\u303e-\u309f\u30a1-'
    '\u30fa\u30fc-\ua4cf\ua960-\ua9c0\ua9cf-\ua9d9\ua9e0-\ua9fe\uaa60-\uaadd\uac00-\ud7fb\uf900-'
    '\ufaff\U0001aff0-\U0001b167\U0001d000-\U0001d7ff\U0001f000-\U0001fbff\U00020000-\U0003347f'
    ']' $$;

-- Whether a run is a word. Most are English words or numbers.
CREATE FUNCTION is_word(run text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT run COLLATE "C" >= '0' AND run COLLATE "C" < ':' OR run COLLATE "C" >= 'a' AND run COLLATE "C" < '{'
  OR left(run, 1) COLLATE "C" !~ search_run_class() $$;

-- The words of a folded text, and its runs of characters that are written without spaces, and of signs.
CREATE FUNCTION search_runs(folded text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
BEGIN
  IF octet_length(folded) = length(folded) THEN
    RETURN array_remove(regexp_split_to_array(
      regexp_replace(folded COLLATE "C", '([+#$%@=]+)', ' \1 ', 'g') COLLATE "C",
      '[\x01-\x20!"&''()*,\-./:;<>?\[\\\]^_`{|}~\x7f]+'), '');
  END IF;
  RETURN array_remove(regexp_split_to_array(
    regexp_replace(folded COLLATE "C", '(' || search_run_class() || '+)', ' \1 ', 'g') COLLATE "C",
    '[\x01-\x20!"&''()*,\-./:;<>?\[\\\]^_`{|}~\x7f'
    '\u0080-\u00a1\u00ab\u00ad\u00b6-\u00bf\u055a-\u055f\u0589-\u058a\u05be\u05c0\u05c3\u05c6\u05f3-'
    '\u0605\u0609-\u060a\u060c-\u060d\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u0700-\u070f\u07f7-\u07f9'
    '\u0830-\u083e\u085e\u0890-\u0891\u08e2\u0964-\u0965\u0970\u09fd\u0a76\u0af0\u0c77\u0c84\u0df4\u0e4f'
    '\u0e5a-\u0e5b\u0f04-\u0f12\u0f14\u0f3a-\u0f3d\u0f85\u0fd0-\u0fd4\u0fd9-\u0fda\u104a-\u104f\u10fb'
    '\u1360-\u1368\u1400\u166e\u1680\u169b-\u169c\u16eb-\u16ed\u1735-\u1736\u17d4-\u17d6\u17d8-\u17da'
    '\u1800-\u180a\u180e\u1944-\u1945\u1a1e-\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e-\u1b4f\u1b5a-\u1b60'
    '\u1b7d-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e-\u1c7f\u1cc0-\u1cc7\u1cd3\u2000-\u206f\u2308-\u230b'
    '\u2768-\u2775\u27c5-\u27c6\u27e6-\u27ef\u2983-\u2998\u29d8-\u29db\u29fc-\u29fd\u2cf9-\u2cfc\u2cfe-'
    '\u2cff\u2d70\u2e00-\u2e2e\u2e30-\u2e4f\u2e52-\u2e5d\u3000-\u3003\u3008-\u3011\u3014-\u301f\u3030'
    '\u303d\u30a0\u30fb\ua4fe-\ua4ff\ua60d-\ua60f\ua673\ua67e\ua6f2-\ua6f7\ua874-\ua877\ua8ce-\ua8cf'
    '\ua8f8-\ua8fa\ua8fc\ua92e-\ua92f\ua95f\ua9c1-\ua9cd\ua9de-\ua9df\uaa5c-\uaa5f\uaade-\uaadf\uaaf0-'
    '\uaaf1\uabeb\ufd3e-\ufd3f\ufe30-\ufe52\ufeff-\ufffb'
    ']+'), '');
END $$;

-- What a run is found by: a word by itself, another run by its characters and its pairs of characters.
CREATE FUNCTION search_parts(run text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE chars text[];
BEGIN
  IF is_word(run) THEN RETURN ARRAY[left(run, 200)]; END IF;
  IF length(run) = 1 THEN RETURN ARRAY[run]; END IF;
  chars := string_to_array(run, NULL);
  RETURN array_remove(ARRAY(SELECT unnest(ARRAY[c, c || next]) FROM unnest(chars, chars[2:]) AS pairs(c, next)), NULL);
END $$;

-- The same for a query. The size of a word is 0.
CREATE FUNCTION search_units(run text) RETURNS TABLE (unit text, size integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 2
AS $$ SELECT unit, CASE WHEN is_word(run) THEN 0 ELSE length(unit) END FROM unnest(search_parts(run)) AS unit $$;

-- The words of a text with their places. Of a long text the first 25,000 different ones: a write must not take long,
-- and a tsvector has at most one megabyte.
CREATE FUNCTION search_vector(value text, weight text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE
  folded text COLLATE "C" := left(search_fold(value), 100000);
  words tsvector := '';
  runs text[];
BEGIN
  -- PostgreSQL's own parser is faster. It knows ASCII words everywhere, but splits 1e2x, which it takes for a number,
  -- and a token has at most 2,046 bytes.
  IF octet_length(folded) = length(folded) AND folded !~ '[0-9]e[0-9]'
    AND (length(folded) < 1000 OR folded !~ '[a-z0-9]{201}') THEN
    words := to_tsvector('simple', regexp_replace(folded, '[^a-z0-9 ]+', ' ', 'g'));
    IF weight = 'A' THEN words := setweight(words, 'A'); END IF;
    folded := regexp_replace(folded, '[^+#$%@=]+', ' ', 'g');
    IF folded = ' ' THEN RETURN words; END IF;
  END IF;
  runs := search_runs(folded);
  IF length(folded) < 10000 THEN
    RETURN words || (SELECT coalesce(string_agg('''' || unit || ''':' || nth || weight, ' '), '')
      FROM (SELECT unnest(CASE WHEN is_word(run) THEN ARRAY[left(run, 200)] ELSE search_parts(run) END) AS unit, nth
        FROM unnest(runs) WITH ORDINALITY AS each(run, nth)) AS units)::tsvector;
  END IF;
  RETURN words || array_to_tsvector(ARRAY(
    SELECT unit FROM (SELECT unit, row_number() OVER () AS nth
      FROM (SELECT unnest(search_parts(run)) AS unit FROM unnest(runs) AS run) AS parts) AS units
    GROUP BY unit ORDER BY min(nth) LIMIT 25000));
END $$;

-- As before, without a query: the words of a text are short, and few enough for one tsvector.
CREATE OR REPLACE FUNCTION search_tokens(type text, scope bigint, title bigint, words tsvector) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000
AS $$
DECLARE
  every text := chr(1) || scope || CASE type WHEN 'board' THEN 'b' WHEN 'card' THEN 'c' ELSE 'o' END;
  named text := chr(1) || scope || CASE type WHEN 'board' THEN 'n' ELSE 't' END;
  whole text := chr(1) || scope || CASE type WHEN 'board' THEN 'x' ELSE 'e' END;
BEGIN
  RETURN array_to_tsvector((string_to_array(concat(
    every || nullif(array_to_string(tsvector_to_array(words), every), ''),
    named || nullif(array_to_string(tsvector_to_array(ts_filter(words, '{a}')), named), ''),
    whole || title), chr(1)))[2:]);
END $$;

CREATE OR REPLACE FUNCTION words_of(name text, body text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT coalesce(search_vector(name, 'A'), '') || coalesce(search_vector(left(body, 100000), ''), '') $$;

CREATE OR REPLACE FUNCTION title_hash(title text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT hashtextextended(search_fold(title), 0) $$;

-- A text whose other letters are ASCII ones, since pg_trgm knows only the letters of the database's locale.
-- Letters of one alphabet stay different.
CREATE FUNCTION search_ascii(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$ BEGIN
  IF octet_length(value) = length(value) THEN RETURN value; END IF;
  RETURN (SELECT string_agg(CASE WHEN octet_length(c) = 1 THEN c
      ELSE substr('abcdefghijklmnopqrstuvwxyz0123456789', ascii(c) % 36 + 1, 1) END, '' ORDER BY nth)
    FROM unnest(string_to_array(value, NULL)) WITH ORDINALITY AS chars(c, nth));
END $$;

-- The words of a name that can be mistyped: a number and a part of a run cannot.
CREATE OR REPLACE FUNCTION words_of_name(name text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 6
AS $$ SELECT DISTINCT left(run, 200) FROM unnest(search_runs(search_fold(name))) AS run
  WHERE ltrim(run, '0123456789') <> '' AND is_word(run) $$;

-- Loads pg_trgm: only a superuser sets a parameter of a module that is not loaded.
SELECT similarity('', '');

-- The words of names on these boards that are like a word, each with its boards, the most similar first.
-- Each board is read apart, so no other board's words cost time.
CREATE FUNCTION similar_words(boards bigint[], query text, OUT word text, OUT "boardIds" bigint[]) RETURNS SETOF record
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.45
AS $$ SELECT w.word, array_agg(board) FROM unnest(boards) AS board
  CROSS JOIN LATERAL (SELECT s.word FROM search_words s
    WHERE s."boardId" = board AND NOT s."isStale" AND search_ascii(query) <% search_ascii(s.word)
      AND (octet_length(s.word) = length(s.word)) = (octet_length(query) = length(query)) OFFSET 0) AS w
  GROUP BY w.word
  ORDER BY word_similarity(search_ascii(query), search_ascii(w.word)) DESC, length(w.word), w.word COLLATE "C" $$;

CREATE FUNCTION add_search_words(board bigint, name text) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN
  INSERT INTO search_words ("boardId", word)
  SELECT board, word FROM words_of_name(name) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."boardId" = board AND s.word = word.word);
END $$;

CREATE OR REPLACE FUNCTION search_boards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    VALUES ('board', NEW.id, NEW."workspaceId", title_hash(NEW.name), words_of(NEW.name, NEW.description));
    PERFORM add_search_words(NEW.id, NEW.name);
  ELSE
    UPDATE search_texts SET "scopeId" = NEW."workspaceId", "titleHash" = title_hash(NEW.name),
      words = words_of(NEW.name, NEW.description)
    WHERE type = 'board' AND id = NEW.id;
    PERFORM add_search_words(NEW.id, NEW.name);
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT NEW.id, word, true FROM words_of_name(OLD.name) AS word
    WHERE word NOT IN (SELECT words_of_name(NEW.name));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION search_inserted_cards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
  SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM new_rows;
  INSERT INTO search_words ("boardId", word)
  SELECT DISTINCT n."boardId", word FROM new_rows n, words_of_name(n.title) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."boardId" = n."boardId" AND s.word = word.word);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION search_updated_card() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (OLD.title, OLD.description, OLD."boardId") IS DISTINCT FROM (NEW.title, NEW.description, NEW."boardId") THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId", "titleHash" = title_hash(NEW.title),
      words = words_of(NEW.title, NEW.description)
    WHERE type = 'card' AND id = NEW.id;
  END IF;
  IF OLD."boardId" <> NEW."boardId" THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId"
    WHERE type = 'comment' AND id IN (SELECT id FROM comments WHERE "cardId" = NEW.id);
  END IF;
  IF OLD.title <> NEW.title OR OLD."boardId" <> NEW."boardId" THEN
    PERFORM add_search_words(NEW."boardId", NEW.title);
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT OLD."boardId", word, true FROM words_of_name(OLD.title) AS word
    WHERE OLD."boardId" <> NEW."boardId" OR word NOT IN (SELECT words_of_name(NEW.title));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION search_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM search_texts s USING old_rows o WHERE s.type = TG_ARGV[0] AND s.id = o.id;
  IF TG_ARGV[0] = 'card' THEN
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT DISTINCT o."boardId", word, true FROM old_rows o, words_of_name(o.title) AS word;
  ELSIF TG_ARGV[0] = 'board' THEN
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT DISTINCT o.id, word, true FROM old_rows o, words_of_name(o.name) AS word;
  END IF;
  RETURN NULL;
END $$;

-- The rows that exist.
INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
SELECT 'board', id, "workspaceId", title_hash(name), words_of(name, description) FROM boards
UNION ALL SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM cards
UNION ALL SELECT 'comment', co.id, c."boardId", NULL, words_of(NULL, left(co.comment, 20000))
FROM comments co JOIN cards c ON c.id = co."cardId";
INSERT INTO search_words ("boardId", word)
SELECT DISTINCT id, word FROM (
  SELECT id, words_of_name(name) AS word FROM boards
  UNION ALL SELECT "boardId", words_of_name(title) FROM cards) AS named;

CREATE INDEX "search_texts_tokens" ON "search_texts"
  USING gin (search_tokens("type", "scopeId", "titleHash", "words")) WITH (gin_pending_list_limit = 64);
CREATE INDEX "search_words_trigrams" ON "search_words" USING gin ("boardId", search_ascii("word") gin_trgm_ops)
  WITH (gin_pending_list_limit = 64) WHERE NOT "isStale";
ANALYZE "search_texts";
ANALYZE "search_words";
-- step: 20261126150000_shared_files
-- The attachments of a copied board share the files of its source.
CREATE INDEX "attachments_storageKey_idx" ON "attachments"("storageKey");
DROP INDEX "attachments_storageKey_key";

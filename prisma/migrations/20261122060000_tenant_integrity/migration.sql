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

-- CreateEnum
CREATE TYPE "CustomFieldType" AS ENUM ('text', 'number', 'date', 'checkbox', 'select', 'multiSelect', 'member', 'url');

-- CreateTable
CREATE TABLE "custom_fields" (
    "id" BIGSERIAL NOT NULL,
    "publicId" TEXT NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "boardId" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "type" "CustomFieldType" NOT NULL,
    "unit" TEXT,
    "isShownOnCard" BOOLEAN NOT NULL DEFAULT false,
    "position" DECIMAL NOT NULL,
    "createdById" BIGINT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "custom_field_options" (
    "id" BIGSERIAL NOT NULL,
    "publicId" TEXT NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "fieldId" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "colourCode" TEXT,
    "position" DECIMAL NOT NULL,
    "createdById" BIGINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "custom_field_options_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_field_values" (
    "id" BIGSERIAL NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "cardId" BIGINT NOT NULL,
    "fieldId" BIGINT NOT NULL,
    "type" "CustomFieldType" NOT NULL,
    "text" TEXT,
    "number" DECIMAL,
    "date" TIMESTAMPTZ(3),
    "checked" BOOLEAN,
    "optionId" BIGINT,
    "memberId" BIGINT,

    CONSTRAINT "card_field_values_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_publicId_key" ON "custom_fields"("publicId");

-- CreateIndex
CREATE INDEX "custom_fields_boardId_idx" ON "custom_fields"("boardId");

-- CreateIndex
CREATE INDEX "custom_fields_workspaceId_idx" ON "custom_fields"("workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_id_workspaceId_key" ON "custom_fields"("id", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_id_type_workspaceId_key" ON "custom_fields"("id", "type", "workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "custom_field_options_publicId_key" ON "custom_field_options"("publicId");

-- CreateIndex
CREATE INDEX "custom_field_options_fieldId_workspaceId_idx" ON "custom_field_options"("fieldId", "workspaceId");

-- CreateIndex
CREATE INDEX "custom_field_options_workspaceId_idx" ON "custom_field_options"("workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "custom_field_options_id_fieldId_workspaceId_key" ON "custom_field_options"("id", "fieldId", "workspaceId");

-- CreateIndex
CREATE INDEX "card_field_values_cardId_workspaceId_idx" ON "card_field_values"("cardId", "workspaceId");

-- CreateIndex
CREATE INDEX "card_field_values_fieldId_type_workspaceId_idx" ON "card_field_values"("fieldId", "type", "workspaceId");

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES "boards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_field_options" ADD CONSTRAINT "custom_field_options_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_field_options" ADD CONSTRAINT "custom_field_options_fieldId_workspaceId_fkey" FOREIGN KEY ("fieldId", "workspaceId") REFERENCES "custom_fields"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- AddForeignKey
ALTER TABLE "custom_field_options" ADD CONSTRAINT "custom_field_options_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_field_values" ADD CONSTRAINT "card_field_values_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- AddForeignKey
ALTER TABLE "card_field_values" ADD CONSTRAINT "card_field_values_fieldId_type_workspaceId_fkey" FOREIGN KEY ("fieldId", "type", "workspaceId") REFERENCES "custom_fields"("id", "type", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- AddForeignKey
ALTER TABLE "card_field_values" ADD CONSTRAINT "card_field_values_optionId_fieldId_workspaceId_fkey" FOREIGN KEY ("optionId", "fieldId", "workspaceId") REFERENCES "custom_field_options"("id", "fieldId", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- AddForeignKey
ALTER TABLE "card_field_values" ADD CONSTRAINT "card_field_values_memberId_workspaceId_fkey" FOREIGN KEY ("memberId", "workspaceId") REFERENCES "members"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- By hand, because Prisma has no partial and expression indexes, checks and triggers.
CREATE UNIQUE INDEX "custom_fields_position_live" ON "custom_fields" ("boardId", "position") WHERE "deletedAt" IS NULL;
CREATE INDEX "custom_fields_deleted" ON "custom_fields" ("deletedAt") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "custom_field_options_deleted" ON "custom_field_options" ("deletedAt") WHERE "deletedAt" IS NOT NULL;
ALTER TABLE "custom_field_options" ADD CONSTRAINT "custom_field_options_colour_check"
  CHECK ("colourCode" ~ '^#[0-9a-fA-F]{6}$');

-- A value is in the column of its type. A card has one per field, or one per option.
ALTER TABLE "card_field_values" ADD CONSTRAINT "card_field_values_value_check" CHECK (
  num_nonnulls("text", "number", "date", "checked", "optionId", "memberId") = 1
  AND CASE
    WHEN "type" IN ('text', 'url') THEN "text" IS NOT NULL
    WHEN "type" = 'number' THEN "number" IS NOT NULL
    WHEN "type" = 'date' THEN "date" IS NOT NULL
    WHEN "type" = 'checkbox' THEN "checked" IS NOT NULL
    WHEN "type" IN ('select', 'multiSelect') THEN "optionId" IS NOT NULL
    ELSE "memberId" IS NOT NULL
  END);
CREATE UNIQUE INDEX "card_field_values_slot" ON "card_field_values"
  ("cardId", "fieldId", (CASE WHEN "type" = 'multiSelect' THEN "optionId" ELSE 0 END));

-- One index per filter and sort. Texts can be longer than an entry: theirs have the beginnings.
CREATE INDEX "card_field_values_text" ON "card_field_values" ("fieldId", left("text", 200), "cardId") WHERE "text" IS NOT NULL;
CREATE INDEX "card_field_values_number" ON "card_field_values" ("fieldId", "number", "cardId") WHERE "number" IS NOT NULL;
CREATE INDEX "card_field_values_date" ON "card_field_values" ("fieldId", "date", "cardId") WHERE "date" IS NOT NULL;
CREATE INDEX "card_field_values_checked" ON "card_field_values" ("fieldId", "checked", "cardId") WHERE "checked" IS NOT NULL;
CREATE INDEX "card_field_values_option" ON "card_field_values" ("fieldId", "optionId", "cardId") WHERE "optionId" IS NOT NULL;
CREATE INDEX "card_field_values_member" ON "card_field_values" ("fieldId", "memberId", "cardId") WHERE "memberId" IS NOT NULL;
CREATE INDEX "card_field_values_optionId" ON "card_field_values" ("optionId", "fieldId", "workspaceId") WHERE "optionId" IS NOT NULL;
CREATE INDEX "card_field_values_memberId" ON "card_field_values" ("memberId", "workspaceId") WHERE "memberId" IS NOT NULL;

-- Checked at the end of the transaction: a card that moves has values of both boards meanwhile.
CREATE FUNCTION check_field_board() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  card bigint;
BEGIN
  IF TG_TABLE_NAME = 'cards' THEN card := NEW.id; ELSE card := NEW."cardId"; END IF;
  IF EXISTS (SELECT 1 FROM card_field_values v
      JOIN cards c ON c.id = v."cardId"
      JOIN custom_fields f ON f.id = v."fieldId"
      WHERE v."cardId" = card AND c."boardId" <> f."boardId") THEN
    RAISE EXCEPTION 'Card % has a value of a field of another board', card
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "card_field_values_cardId_board"
  AFTER INSERT OR UPDATE OF "cardId", "fieldId" ON "card_field_values"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_field_board();

CREATE CONSTRAINT TRIGGER "cards_boardId_fields" AFTER UPDATE OF "boardId" ON "cards"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD."boardId" <> NEW."boardId")
  EXECUTE FUNCTION check_field_board();

-- Values of a card are few, also before PostgreSQL has counted them.
ALTER TABLE "card_field_values" ALTER COLUMN "cardId" SET (n_distinct = -0.2);

CREATE TYPE "CardRelationKind" AS ENUM ('blocks', 'parent', 'relates', 'duplicates');

ALTER TABLE "cards" ADD COLUMN "hasRelations" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "card_relations" (
    "id" BIGSERIAL NOT NULL,
    "publicId" TEXT NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "kind" "CardRelationKind" NOT NULL,
    "fromId" BIGINT NOT NULL,
    "toId" BIGINT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_relations_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "card_relations_publicId_key" ON "card_relations"("publicId");
CREATE UNIQUE INDEX "card_relations_fromId_toId_kind_key" ON "card_relations"("fromId", "toId", "kind");
CREATE INDEX "card_relations_fromId_workspaceId_idx" ON "card_relations"("fromId", "workspaceId");
CREATE INDEX "card_relations_toId_workspaceId_idx" ON "card_relations"("toId", "workspaceId");

ALTER TABLE "card_relations" ADD CONSTRAINT "card_relations_fromId_workspaceId_fkey" FOREIGN KEY ("fromId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;
ALTER TABLE "card_relations" ADD CONSTRAINT "card_relations_toId_workspaceId_fkey" FOREIGN KEY ("toId", "workspaceId") REFERENCES "cards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- By hand, because Prisma has no partial indexes and checks.
CREATE UNIQUE INDEX "card_relations_one_parent" ON "card_relations"("toId") WHERE "kind" = 'parent';
ALTER TABLE "card_relations" ADD CONSTRAINT "card_relations_two_cards" CHECK ("fromId" <> "toId");

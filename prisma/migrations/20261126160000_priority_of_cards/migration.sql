-- CreateEnum
CREATE TYPE "CardPriority" AS ENUM ('none', 'low', 'medium', 'high', 'urgent');

-- AlterTable
ALTER TABLE "cards" ADD COLUMN "priority" "CardPriority" NOT NULL DEFAULT 'none';

-- CreateIndex
CREATE INDEX "cards_boardId_priority_id_idx" ON "cards"("boardId", "priority", "id");

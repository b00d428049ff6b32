-- AlterTable
ALTER TABLE "events" ADD COLUMN     "mutationId" TEXT;

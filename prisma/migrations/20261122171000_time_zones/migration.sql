-- AlterTable
ALTER TABLE "users" ADD COLUMN     "timeZone" TEXT;

-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "timeZone" TEXT;

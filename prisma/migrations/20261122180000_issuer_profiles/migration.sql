-- AlterTable
ALTER TABLE "users" ADD COLUMN     "issuerProfile" JSONB;

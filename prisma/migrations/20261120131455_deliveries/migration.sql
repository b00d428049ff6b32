-- DropIndex
DROP INDEX "deliveries_status_nextAttemptAt_idx";

-- AlterTable
ALTER TABLE "deliveries" DROP COLUMN "leasedBy",
DROP COLUMN "leasedUntil",
ADD COLUMN     "error" TEXT,
ADD COLUMN     "statusCode" INTEGER;

-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "leasedBy" TEXT,
ADD COLUMN     "leasedUntil" TIMESTAMPTZ(3);

-- By hand, because Prisma has no words for it.

-- What waits for each target, and since when.
CREATE INDEX "deliveries_due" ON "deliveries" ("webhookId", "nextAttemptAt", "id") WHERE "status" = 'pending';
-- What may have to be sent once more.
CREATE INDEX "deliveries_failed" ON "deliveries" ("webhookId", "id") WHERE "status" = 'failed';

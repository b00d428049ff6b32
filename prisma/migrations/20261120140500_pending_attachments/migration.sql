-- schema.prisma asks for nothing: what follows is written by hand.

-- Uploads that were never finished, for the purge.
CREATE INDEX "attachments_pending" ON "attachments"("createdAt") WHERE status = 'pending';

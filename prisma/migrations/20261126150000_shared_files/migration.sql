-- The attachments of a copied board share the files of its source.
CREATE INDEX "attachments_storageKey_idx" ON "attachments"("storageKey");
DROP INDEX "attachments_storageKey_key";

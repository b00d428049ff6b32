-- CreateIndex
CREATE INDEX "api_keys_workspaceId_idx" ON "api_keys"("workspaceId");

-- CreateIndex
CREATE INDEX "api_keys_boardId_idx" ON "api_keys"("boardId");

-- CreateIndex
CREATE INDEX "comments_createdById_idx" ON "comments"("createdById");

-- CreateIndex
CREATE INDEX "invites_roleId_idx" ON "invites"("roleId");

-- CreateIndex
CREATE INDEX "invites_memberId_idx" ON "invites"("memberId");

-- CreateIndex
CREATE INDEX "members_email_idx" ON "members"("email");

-- CreateIndex
CREATE INDEX "stream_tickets_userId_idx" ON "stream_tickets"("userId");

-- By hand, because Prisma has no words for it.

-- Refresh tokens that were spent long ago, for the purge.
CREATE INDEX "refresh_tokens_spent" ON "refresh_tokens" ("spentAt") WHERE "spentAt" IS NOT NULL;

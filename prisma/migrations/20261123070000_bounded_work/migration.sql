-- The invites that a user has sent in a day are counted for each invite.
CREATE INDEX "invites_createdById_createdAt_idx" ON "invites"("createdById", "createdAt");

-- By hand, because Prisma has no words for it.

-- A job mails the password reset of an account, if there is one.
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_kind_check";
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_kind_check" CHECK ("kind" IN ('mail', 'passwordReset', 'digest', 'dueSoon', 'purge', 'import', 'anonymizeUser'));

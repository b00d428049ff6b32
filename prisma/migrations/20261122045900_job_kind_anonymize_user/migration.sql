-- The job that removes a deleted user's name from the history has a kind that says so.
UPDATE "jobs" SET "kind" = 'anonymizeUser' WHERE "kind" = 'forget';

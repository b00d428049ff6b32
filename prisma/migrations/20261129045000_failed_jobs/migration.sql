-- Failed jobs are few beside those that have completed.
CREATE INDEX CONCURRENTLY "jobs_failed" ON "jobs" ("id") WHERE "status" = 'failed';

-- Accounts of programs, which act in one workspace and do not sign in.
ALTER TABLE "users" ADD COLUMN "isService" BOOLEAN NOT NULL DEFAULT false;

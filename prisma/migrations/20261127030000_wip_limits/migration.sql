CREATE TYPE "WipMode" AS ENUM ('off', 'warn', 'block');
ALTER TABLE "lists" ADD COLUMN "wipMode" "WipMode" NOT NULL DEFAULT 'warn';

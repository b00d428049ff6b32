-- Operators are few.
CREATE INDEX CONCURRENTLY "users_operators" ON "users" ("id") WHERE "isOperator";

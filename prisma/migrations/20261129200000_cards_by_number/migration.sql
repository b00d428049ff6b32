-- Without statistics PostgreSQL took the index that begins with the workspace for checks of keys to a card, and read
-- all cards of the workspace for each row of a part.
CREATE UNIQUE INDEX CONCURRENTLY "cards_number_workspaceId_key" ON "cards" ("number", "workspaceId");

-- Room on each page for the next version of a row: an update that changes no indexed column then writes no index.
-- A card's version rises with each of its events; the row of a workspace has the last card number.
ALTER TABLE "cards" SET (fillfactor = 85);
ALTER TABLE "workspaces" SET (fillfactor = 50);
ALTER TABLE "workspace_logs" SET (fillfactor = 50);
ALTER TABLE "user_logs" SET (fillfactor = 50);

-- A field has the workspace of its board, and an option that of its field: foreign keys of several columns say so,
-- and deletions cascade through them.
ALTER TABLE "custom_fields" DROP CONSTRAINT "custom_fields_workspaceId_fkey";
ALTER TABLE "custom_field_options" DROP CONSTRAINT "custom_field_options_workspaceId_fkey";

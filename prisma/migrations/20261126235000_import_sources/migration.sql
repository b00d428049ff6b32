-- The sources of imports are declared once, in src/contract/vocabulary/import-sources.ts.
ALTER TABLE "imports" DROP CONSTRAINT "imports_family_check";
ALTER TABLE "imports" DROP CONSTRAINT "imports_source_check";
ALTER TABLE "imported_items" DROP CONSTRAINT "imported_items_source_check";
ALTER TABLE "imported_people" DROP CONSTRAINT "imported_people_source_check";
ALTER TABLE "imported_assignments" DROP CONSTRAINT "imported_assignments_source_check";
ALTER TABLE "comments" DROP CONSTRAINT "comments_importSource_check";
ALTER TABLE "checklist_items" DROP CONSTRAINT "checklist_items_importSource_check";

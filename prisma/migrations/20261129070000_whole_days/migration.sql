-- Whether a date is a whole day, which is stored as its midnight in UTC. Stored dates stay times.
ALTER TABLE "cards"
  ADD COLUMN "isStartAllDay" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "isDueAllDay" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "checklist_items" ADD COLUMN "isDueAllDay" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "card_field_values" ADD COLUMN "isAllDay" BOOLEAN NOT NULL DEFAULT false;

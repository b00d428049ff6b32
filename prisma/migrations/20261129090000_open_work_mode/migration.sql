-- What happens when a card is completed that has open blockers or children.
ALTER TABLE "boards" ADD COLUMN "openWorkMode" "WipMode" NOT NULL DEFAULT 'off';

-- By hand, because Prisma has no words for it.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What a search looks into: words (in no language, since texts have many), and parts of names for those who mistype.
CREATE INDEX "boards_words" ON "boards" USING gin (to_tsvector('simple', "name" || ' ' || coalesce("description", '')));
CREATE INDEX "cards_words" ON "cards" USING gin (to_tsvector('simple', "title" || ' ' || left(coalesce("description", ''), 100000)));
CREATE INDEX "comments_words" ON "comments" USING gin (to_tsvector('simple', left("comment", 20000)));
CREATE INDEX "boards_trigrams" ON "boards" USING gin ("name" gin_trgm_ops);
CREATE INDEX "cards_trigrams" ON "cards" USING gin ("title" gin_trgm_ops);

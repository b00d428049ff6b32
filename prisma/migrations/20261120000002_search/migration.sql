-- By hand, because Prisma has no words for it.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What a search looks into: words (in no language, since texts have many), and parts of names for those who mistype.
CREATE INDEX "boards_words" ON "boards" USING gin (to_tsvector('simple', "name" || ' ' || coalesce("description", '')));
CREATE INDEX "cards_words" ON "cards" USING gin (to_tsvector('simple', "title" || ' ' || left(coalesce("description", ''), 100000)));
CREATE INDEX "comments_words" ON "comments" USING gin (to_tsvector('simple', left("comment", 20000)));
CREATE INDEX "cards_trigrams" ON "cards" USING gin (lower("title") gin_trgm_ops);

-- The cards whose title has a word like each of a query's; the index helps only while the threshold is what it is here.
CREATE FUNCTION mistyped_cards(workspace bigint, query text) RETURNS SETOF bigint
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.45
AS $$ SELECT id FROM cards WHERE "workspaceId" = workspace AND "deletedAt" IS NULL AND query <% lower(title)
  AND NOT EXISTS (SELECT FROM regexp_split_to_table(query, '\s+') AS word WHERE word_similarity(word, lower(title)) < 0.45) LIMIT 1000 $$;

-- The service makes the words of texts, by the rule that these functions had: the stored words stay. Lists in the order
-- of names still use search_fold().

DROP TRIGGER "boards_search_insert" ON "boards";
DROP TRIGGER "boards_search_update" ON "boards";
DROP TRIGGER "cards_search_insert" ON "cards";
DROP TRIGGER "cards_search_update" ON "cards";
DROP TRIGGER "comments_search_insert" ON "comments";
DROP TRIGGER "comments_search_update" ON "comments";
DROP FUNCTION search_boards();
DROP FUNCTION search_inserted_cards();
DROP FUNCTION search_updated_card();
DROP FUNCTION search_comments();
DROP FUNCTION add_search_words(bigint, text);
DROP FUNCTION words_of(text, text);
DROP FUNCTION words_of_name(text);
DROP FUNCTION search_vector(text, text);
DROP FUNCTION search_units(text);
DROP FUNCTION search_parts(text);
DROP FUNCTION search_runs(text);
DROP FUNCTION is_word(text);
DROP FUNCTION search_run_class();
DROP FUNCTION title_hash(text);
DROP FUNCTION similar_words(bigint[], text);

-- What is deleted, and what is on it, leaves the index.
DROP INDEX "search_texts_tokens";
ALTER TABLE "search_texts" ADD COLUMN "isLive" BOOLEAN NOT NULL DEFAULT true;
DELETE FROM "search_texts" s USING "comments" co
  WHERE s."type" = 'comment' AND co."id" = s."id" AND co."deletedAt" IS NOT NULL;
UPDATE "search_texts" s SET "isLive" = false FROM "cards" c
  WHERE s."type" = 'card' AND c."id" = s."id" AND c."deletedAt" IS NOT NULL;
UPDATE "search_texts" s SET "isLive" = false FROM "comments" co JOIN "cards" c ON c."id" = co."cardId"
  WHERE s."type" = 'comment' AND co."id" = s."id" AND c."deletedAt" IS NOT NULL;

-- The boards of a workspace are few: their words need no index. Every search reads the list of words that writes have
-- not sorted in yet: it stays short.
CREATE INDEX "search_texts_tokens" ON "search_texts"
  USING gin (search_tokens("type", "scopeId", "titleHash", "words")) WITH (gin_pending_list_limit = 64)
  WHERE "isLive" AND "type" <> 'board';
-- The newest texts of a board, if it has many with a word.
CREATE INDEX "search_texts_newest" ON "search_texts"("scopeId", "type", "id") WHERE "isLive" AND "type" <> 'board';

-- Similar words are those of a workspace: on each board apart, a search of many boards took seconds. `letters` is the
-- word in ASCII letters, which pg_trgm knows whatever the locale of the database is.
DROP INDEX "search_words_trigrams";
ALTER TABLE "search_words" ADD COLUMN "workspaceId" BIGINT, ADD COLUMN "letters" TEXT;
INSERT INTO "search_words" ("boardId", "workspaceId", "word", "letters", "isStale")
  SELECT 0, b."workspaceId", s."word", search_ascii(s."word"), s."isStale"
  FROM "search_words" s JOIN "boards" b ON b."id" = s."boardId"
  GROUP BY b."workspaceId", s."word", s."isStale";
DELETE FROM "search_words" WHERE "workspaceId" IS NULL;
DROP INDEX "search_words_word_boardId_idx";
ALTER TABLE "search_words" DROP COLUMN "boardId",
  ALTER COLUMN "workspaceId" SET NOT NULL, ALTER COLUMN "letters" SET NOT NULL;
-- CreateIndex
CREATE INDEX "search_words_word_workspaceId_idx" ON "search_words"("word", "workspaceId");
CREATE INDEX "search_words_trigrams" ON "search_words" USING gin ("workspaceId", "letters" gin_trgm_ops)
  WITH (gin_pending_list_limit = 64) WHERE NOT "isStale";
DROP FUNCTION search_ascii(text);

-- The words of names in a workspace that are like a word, the most similar first.
CREATE FUNCTION similar_words(workspace bigint, query text, OUT word text, OUT similarity real) RETURNS SETOF record
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.45
AS $$ SELECT word, word_similarity(query, letters) FROM search_words
  WHERE "workspaceId" = workspace AND NOT "isStale" AND query <% letters
  GROUP BY word, letters ORDER BY 2 DESC, length(word), word COLLATE "C" $$;

-- The words of purged names may be in no other name: the purge looks.
CREATE OR REPLACE FUNCTION search_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  WITH gone AS (DELETE FROM search_texts s USING old_rows o WHERE s.type = TG_ARGV[0] AND s.id = o.id
    RETURNING o."workspaceId", s.words)
  INSERT INTO search_words ("workspaceId", word, letters, "isStale")
  SELECT DISTINCT "workspaceId", unnest(tsvector_to_array(ts_filter(words, '{a}'))), '', true FROM gone;
  RETURN NULL;
END $$;

ANALYZE "search_texts";
ANALYZE "search_words";

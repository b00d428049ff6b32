-- By hand, because Prisma has no words for it.

CREATE EXTENSION IF NOT EXISTS btree_gin;

DROP INDEX "boards_words";
DROP INDEX "cards_words";
DROP INDEX "comments_words";
DROP INDEX "cards_trigrams";
DROP FUNCTION mistyped_cards(bigint, text);

-- The words of boards, cards and comments, apart from their rows: a move or a label changes no word.
CREATE TABLE "search_texts" (
  "type" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  "scopeId" BIGINT NOT NULL,
  "titleHash" BIGINT,
  "words" tsvector NOT NULL,
  CONSTRAINT "search_texts_pkey" PRIMARY KEY ("type", "id"),
  CONSTRAINT "search_texts_type_check" CHECK ("type" IN ('board', 'card', 'comment'))
);

-- The words of the names of boards and cards, for mistyped queries. A stale row is a word that left a name: the purge
-- looks whether another name has it. Rows are only added, so that no transaction waits for another one.
-- No foreign key: an index of all words of a workspace would be taken for the search of similar ones.
CREATE TABLE "search_words" (
  "id" BIGSERIAL NOT NULL,
  "workspaceId" BIGINT NOT NULL,
  "word" TEXT NOT NULL,
  "isStale" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "search_words_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "search_words_word_workspaceId_idx" ON "search_words"("word", "workspaceId");
CREATE INDEX "search_words_stale" ON "search_words"("id") WHERE "isStale";
CREATE INDEX "search_words_trigrams" ON "search_words" USING gin ("workspaceId", "word" gin_trgm_ops)
  WITH (gin_pending_list_limit = 64) WHERE NOT "isStale";

-- The words of a name with weight A, and those of a text.
CREATE FUNCTION words_of(name text, body text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT setweight(to_tsvector('simple', coalesce(name, '')), 'A') || to_tsvector('simple', left(coalesce(body, ''), 100000)) $$;

CREATE FUNCTION title_hash(title text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT hashtextextended(lower(title), 0) $$;

-- What the index holds: words behind the id of their board (of their workspace, for boards) and a letter.
-- So a search reads the words of the boards that it is in, and no others.
-- b, n and x: words of a board, those of its name, and the whole name. c, t and e: the same of a card. o: of a comment.
CREATE FUNCTION search_tokens(type text, scope bigint, title bigint, words tsvector) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000
AS $$
DECLARE
  every text := scope || CASE type WHEN 'board' THEN 'b' WHEN 'card' THEN 'c' ELSE 'o' END;
  named text := scope || CASE type WHEN 'board' THEN 'n' ELSE 't' END;
  whole text := scope || CASE type WHEN 'board' THEN 'x' ELSE 'e' END;
BEGIN
  IF length(words) < 5000 THEN
    RETURN array_to_tsvector(ARRAY(
      SELECT every || left(lexeme, 200) FROM unnest(words)
      UNION ALL SELECT named || left(lexeme, 200) FROM unnest(words) WHERE 'A' = ANY (weights)
      UNION ALL SELECT whole || title WHERE title IS NOT NULL));
  END IF;
  -- A tsvector has at most one megabyte.
  RETURN array_to_tsvector(ARRAY(
    SELECT token FROM (
      SELECT token, sum(octet_length(token)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (
        SELECT whole || title AS token WHERE title IS NOT NULL
        UNION ALL SELECT named || left(lexeme, 200) FROM unnest(words) WHERE 'A' = ANY (weights)
        UNION ALL SELECT every || left(lexeme, 200) FROM unnest(words)) AS tokens) AS measured
    WHERE bytes < 1000000));
END $$;

-- A token as it stands in the text of a tsquery.
CREATE FUNCTION search_key(token text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT '''' || replace(replace(token, '\', '\\'), '''', '''''') || '''' $$;

-- The words of names that are like a word, the most similar first.
CREATE FUNCTION similar_words(workspace bigint, query text) RETURNS SETOF text
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.45
AS $$ SELECT word FROM search_words WHERE "workspaceId" = workspace AND NOT "isStale" AND query <% word
  GROUP BY word ORDER BY word_similarity(query, word) DESC, length(word), word LIMIT 12 $$;

-- The words of a name that can be mistyped: a number cannot.
CREATE FUNCTION words_of_name(name text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 6
AS $$ SELECT left(lexeme, 200) FROM unnest(to_tsvector('simple', name)) WHERE lexeme ~ '[^[:digit:].,+-]' $$;

CREATE FUNCTION add_search_words(workspace bigint, name text) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN
  INSERT INTO search_words ("workspaceId", word)
  SELECT workspace, word FROM words_of_name(name) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."workspaceId" = workspace AND s.word = word.word);
END $$;

-- The triggers: statements that insert or delete many rows, and rows whose words or board change.

CREATE FUNCTION search_boards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    VALUES ('board', NEW.id, NEW."workspaceId", title_hash(NEW.name), words_of(NEW.name, NEW.description));
    PERFORM add_search_words(NEW."workspaceId", NEW.name);
  ELSE
    UPDATE search_texts SET "scopeId" = NEW."workspaceId", "titleHash" = title_hash(NEW.name),
      words = words_of(NEW.name, NEW.description)
    WHERE type = 'board' AND id = NEW.id;
    PERFORM add_search_words(NEW."workspaceId", NEW.name);
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT OLD."workspaceId", word, true FROM words_of_name(OLD.name) AS word
    WHERE OLD."workspaceId" <> NEW."workspaceId" OR word NOT IN (SELECT words_of_name(NEW.name));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "boards_search_insert" AFTER INSERT ON "boards" FOR EACH ROW EXECUTE FUNCTION search_boards();
CREATE TRIGGER "boards_search_update" AFTER UPDATE OF "name", "description", "workspaceId" ON "boards" FOR EACH ROW
  WHEN ((OLD."name", OLD."description", OLD."workspaceId") IS DISTINCT FROM (NEW."name", NEW."description", NEW."workspaceId"))
  EXECUTE FUNCTION search_boards();

CREATE FUNCTION search_inserted_cards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
  SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM new_rows;
  INSERT INTO search_words ("workspaceId", word)
  SELECT DISTINCT n."workspaceId", word FROM new_rows n, words_of_name(n.title) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."workspaceId" = n."workspaceId" AND s.word = word.word);
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_search_insert" AFTER INSERT ON "cards" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_inserted_cards();

CREATE FUNCTION search_updated_card() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (OLD.title, OLD.description, OLD."boardId") IS DISTINCT FROM (NEW.title, NEW.description, NEW."boardId") THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId", "titleHash" = title_hash(NEW.title),
      words = words_of(NEW.title, NEW.description)
    WHERE type = 'card' AND id = NEW.id;
  END IF;
  IF OLD."boardId" <> NEW."boardId" THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId"
    WHERE type = 'comment' AND id IN (SELECT id FROM comments WHERE "cardId" = NEW.id);
  END IF;
  IF OLD.title <> NEW.title OR OLD."workspaceId" <> NEW."workspaceId" THEN
    PERFORM add_search_words(NEW."workspaceId", NEW.title);
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT OLD."workspaceId", word, true FROM words_of_name(OLD.title) AS word
    WHERE OLD."workspaceId" <> NEW."workspaceId" OR word NOT IN (SELECT words_of_name(NEW.title));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_search_update" AFTER UPDATE OF "title", "description", "boardId", "workspaceId" ON "cards" FOR EACH ROW
  WHEN ((OLD."title", OLD."description", OLD."boardId", OLD."workspaceId")
    IS DISTINCT FROM (NEW."title", NEW."description", NEW."boardId", NEW."workspaceId"))
  EXECUTE FUNCTION search_updated_card();

CREATE FUNCTION search_comments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", words)
    SELECT 'comment', n.id, c."boardId", words_of(NULL, left(n.comment, 20000))
    FROM new_rows n JOIN cards c ON c.id = n."cardId";
  ELSE
    UPDATE search_texts SET words = words_of(NULL, left(NEW.comment, 20000)) WHERE type = 'comment' AND id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "comments_search_insert" AFTER INSERT ON "comments" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_comments();
CREATE TRIGGER "comments_search_update" AFTER UPDATE OF "comment" ON "comments" FOR EACH ROW
  WHEN (OLD."comment" <> NEW."comment") EXECUTE FUNCTION search_comments();

CREATE FUNCTION search_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM search_texts s USING old_rows o WHERE s.type = TG_ARGV[0] AND s.id = o.id;
  IF TG_ARGV[0] = 'card' THEN
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT DISTINCT w.id, word, true FROM old_rows o JOIN workspaces w ON w.id = o."workspaceId", words_of_name(o.title) AS word;
  ELSIF TG_ARGV[0] = 'board' THEN
    INSERT INTO search_words ("workspaceId", word, "isStale")
    SELECT DISTINCT w.id, word, true FROM old_rows o JOIN workspaces w ON w.id = o."workspaceId", words_of_name(o.name) AS word;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "boards_search_delete" AFTER DELETE ON "boards" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('board');
CREATE TRIGGER "cards_search_delete" AFTER DELETE ON "cards" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('card');
CREATE TRIGGER "comments_search_delete" AFTER DELETE ON "comments" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('comment');

-- The rows that exist.
INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
SELECT 'board', id, "workspaceId", title_hash(name), words_of(name, description) FROM boards
UNION ALL SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM cards
UNION ALL SELECT 'comment', co.id, c."boardId", NULL, words_of(NULL, left(co.comment, 20000))
FROM comments co JOIN cards c ON c.id = co."cardId";
INSERT INTO search_words ("workspaceId", word)
SELECT DISTINCT "workspaceId", word FROM (
  SELECT "workspaceId", words_of_name(name) AS word FROM boards
  UNION ALL SELECT "workspaceId", words_of_name(title) FROM cards) AS named;

-- Every search reads the list of words that writes have not sorted in yet: it stays short.
CREATE INDEX "search_texts_tokens" ON "search_texts"
  USING gin (search_tokens("type", "scopeId", "titleHash", "words")) WITH (gin_pending_list_limit = 64);
ANALYZE "search_texts";
ANALYZE "search_words";

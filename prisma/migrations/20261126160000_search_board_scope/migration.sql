-- Tokens of a board begin with its own id, as those of its cards do: a search reads visible boards only.

UPDATE search_texts SET "scopeId" = id WHERE type = 'board';

CREATE OR REPLACE FUNCTION search_boards() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    VALUES ('board', NEW.id, NEW.id, title_hash(NEW.name), words_of(NEW.name, NEW.description));
    PERFORM add_search_words(NEW.id, NEW.name);
  ELSE
    UPDATE search_texts SET "titleHash" = title_hash(NEW.name), words = words_of(NEW.name, NEW.description)
    WHERE type = 'board' AND id = NEW.id;
    PERFORM add_search_words(NEW.id, NEW.name);
    INSERT INTO search_words ("boardId", word, "isStale") SELECT NEW.id, word, true
    FROM words_of_name(OLD.name) AS word WHERE word NOT IN (SELECT words_of_name(NEW.name));
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER boards_search_update ON boards;
CREATE TRIGGER boards_search_update AFTER UPDATE OF name, description ON boards FOR EACH ROW
WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.description IS DISTINCT FROM NEW.description)
EXECUTE FUNCTION search_boards();

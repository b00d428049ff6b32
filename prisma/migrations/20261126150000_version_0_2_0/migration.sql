-- The schema of version 0.2.0. Databases of 0.1.0 get it by from_0_1_0.sql.

SET LOCAL check_function_bodies = off;

CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TYPE "ActorType" AS ENUM ('user', 'apiKey', 'import', 'system');

CREATE TYPE "AttachmentKind" AS ENUM ('file', 'link');

CREATE TYPE "AttachmentStatus" AS ENUM ('pending', 'stored');

CREATE TYPE "BoardType" AS ENUM ('regular', 'template');

CREATE TYPE "BoardVisibility" AS ENUM ('private', 'restricted', 'public');

CREATE TYPE "DeliveryStatus" AS ENUM ('pending', 'succeeded', 'failed');

CREATE TYPE "ImportSeverity" AS ENUM ('loss', 'partial', 'info');

CREATE TYPE "ImportStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled');

CREATE TYPE "JobStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled');

CREATE TYPE "MemberStatus" AS ENUM ('invited', 'active', 'removed');

CREATE TYPE "Plan" AS ENUM ('free', 'team', 'pro', 'enterprise');

CREATE OR REPLACE FUNCTION check_parent_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  parent text := TG_ARGV[0];
  foreign_key text := TG_ARGV[1];
  same boolean;
BEGIN
  EXECUTE format('SELECT "workspaceId" = ($1)."workspaceId" FROM %I WHERE id = ($1).%I', parent, foreign_key)
    INTO same USING NEW;
  IF same IS NOT TRUE THEN
    RAISE EXCEPTION '%.% names a row of another workspace', TG_TABLE_NAME, foreign_key
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION are_permissions(names text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN (names <@ ARRAY['workspace:view'::text, 'workspace:edit'::text, 'workspace:delete'::text, 'workspace:manage'::text, 'board:view'::text, 'board:create'::text, 'board:edit'::text, 'board:delete'::text, 'list:view'::text, 'list:create'::text, 'list:edit'::text, 'list:delete'::text, 'card:view'::text, 'card:create'::text, 'card:edit'::text, 'card:delete'::text, 'comment:view'::text, 'comment:create'::text, 'comment:edit'::text, 'comment:delete'::text, 'member:view'::text, 'member:invite'::text, 'member:edit'::text, 'member:remove'::text])
;

CREATE OR REPLACE FUNCTION clear_event_references()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE deliveries SET "eventId" = NULL WHERE "eventId" = OLD.id;
  UPDATE notifications SET "eventId" = NULL WHERE "eventId" = OLD.id;
  RETURN OLD;
END $function$
;

CREATE OR REPLACE FUNCTION words_of(name text, body text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT coalesce(search_vector(name, 'A'), '') || coalesce(search_vector(left(body, 100000), ''), '') $function$
;

CREATE OR REPLACE FUNCTION title_hash(title text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ SELECT hashtextextended(search_fold(title), 0) $function$
;

CREATE OR REPLACE FUNCTION search_tokens(type text, scope bigint, title bigint, words tsvector)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 1000
AS $function$
DECLARE
  every text := chr(1) || scope || CASE type WHEN 'board' THEN 'b' WHEN 'card' THEN 'c' ELSE 'o' END;
  named text := chr(1) || scope || CASE type WHEN 'board' THEN 'n' ELSE 't' END;
  whole text := chr(1) || scope || CASE type WHEN 'board' THEN 'x' ELSE 'e' END;
BEGIN
  RETURN array_to_tsvector((string_to_array(concat(
    every || nullif(array_to_string(tsvector_to_array(words), every), ''),
    named || nullif(array_to_string(tsvector_to_array(ts_filter(words, '{a}')), named), ''),
    whole || title), chr(1)))[2:]);
END $function$
;

CREATE OR REPLACE FUNCTION search_key(token text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ SELECT '''' || replace(replace(token, '\', '\\'), '''', '''''') || '''' $function$
;

CREATE OR REPLACE FUNCTION words_of_name(name text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE ROWS 6
AS $function$ SELECT DISTINCT left(run, 200) FROM unnest(search_runs(search_fold(name))) AS run
  WHERE ltrim(run, '0123456789') <> '' AND is_word(run) $function$
;

CREATE OR REPLACE FUNCTION search_boards()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    VALUES ('board', NEW.id, NEW."workspaceId", title_hash(NEW.name), words_of(NEW.name, NEW.description));
    PERFORM add_search_words(NEW.id, NEW.name);
  ELSE
    UPDATE search_texts SET "scopeId" = NEW."workspaceId", "titleHash" = title_hash(NEW.name),
      words = words_of(NEW.name, NEW.description)
    WHERE type = 'board' AND id = NEW.id;
    PERFORM add_search_words(NEW.id, NEW.name);
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT NEW.id, word, true FROM words_of_name(OLD.name) AS word
    WHERE word NOT IN (SELECT words_of_name(NEW.name));
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION search_inserted_cards()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
  SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM new_rows;
  INSERT INTO search_words ("boardId", word)
  SELECT DISTINCT n."boardId", word FROM new_rows n, words_of_name(n.title) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."boardId" = n."boardId" AND s.word = word.word);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION search_updated_card()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  IF (OLD.title, OLD.description, OLD."boardId") IS DISTINCT FROM (NEW.title, NEW.description, NEW."boardId") THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId", "titleHash" = title_hash(NEW.title),
      words = words_of(NEW.title, NEW.description)
    WHERE type = 'card' AND id = NEW.id;
  END IF;
  IF OLD."boardId" <> NEW."boardId" THEN
    UPDATE search_texts SET "scopeId" = NEW."boardId"
    WHERE type = 'comment' AND id IN (SELECT id FROM comments WHERE "cardId" = NEW.id);
  END IF;
  IF OLD.title <> NEW.title OR OLD."boardId" <> NEW."boardId" THEN
    PERFORM add_search_words(NEW."boardId", NEW.title);
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT OLD."boardId", word, true FROM words_of_name(OLD.title) AS word
    WHERE OLD."boardId" <> NEW."boardId" OR word NOT IN (SELECT words_of_name(NEW.title));
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION search_comments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_texts (type, id, "scopeId", words)
    SELECT 'comment', n.id, c."boardId", words_of(NULL, left(n.comment, 20000))
    FROM new_rows n JOIN cards c ON c.id = n."cardId";
  ELSE
    UPDATE search_texts SET words = words_of(NULL, left(NEW.comment, 20000)) WHERE type = 'comment' AND id = NEW.id;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION search_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  DELETE FROM search_texts s USING old_rows o WHERE s.type = TG_ARGV[0] AND s.id = o.id;
  IF TG_ARGV[0] = 'card' THEN
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT DISTINCT o."boardId", word, true FROM old_rows o, words_of_name(o.title) AS word;
  ELSIF TG_ARGV[0] = 'board' THEN
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT DISTINCT o.id, word, true FROM old_rows o, words_of_name(o.name) AS word;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION claim_idempotency_key(scope_ text, key_ text, answered_since timestamp with time zone, claimed_since timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF scope_ IS NULL THEN
    RETURN true;
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended(scope_ || ' ' || key_, 0)) THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
  DELETE FROM idempotency_keys
  WHERE scope = scope_ AND key = key_ AND CASE
    WHEN answer IS NOT NULL THEN "createdAt" <= answered_since
    ELSE "createdAt" <= claimed_since OR is_process_alive("lockedBy") IS FALSE END;
  RETURN NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE scope = scope_ AND key = key_);
END $function$
;

CREATE OR REPLACE FUNCTION lock_process(number_ integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  SELECT pg_try_advisory_lock(1214540630, number_)
$function$
;

CREATE OR REPLACE FUNCTION is_process_alive(number_ integer)
 RETURNS boolean
 LANGUAGE sql
 STRICT
AS $function$
  SELECT NOT pg_try_advisory_xact_lock_shared(1214540630, number_)
$function$
;

CREATE OR REPLACE FUNCTION lock_idempotency_claim(id_ bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM idempotency_keys WHERE id = id_ FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION open_due_date(due timestamp with time zone, archived timestamp with time zone, deleted timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((archived IS NULL) AND (deleted IS NULL)) THEN COALESCE(due, 'infinity'::timestamp with time zone) ELSE NULL::timestamp with time zone END
;

CREATE OR REPLACE FUNCTION set_open_due_date()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  SELECT open_due_date("dueDate", "archivedAt", "deletedAt") INTO NEW."openDueDate"
  FROM cards WHERE id = NEW."cardId" FOR SHARE;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION change_open_due_dates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  UPDATE card_members SET "openDueDate" = open_due_date(NEW."dueDate", NEW."archivedAt", NEW."deletedAt")
  WHERE "cardId" = NEW.id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION move_import_records()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
  UPDATE imported_items SET "boardId" = NEW."boardId"
  WHERE "boardId" = OLD."boardId" AND "targetId" = NEW.id AND kind = 'card';
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE imported_items item SET "boardId" = NEW."boardId"
  FROM (
    SELECT found.id FROM (
      SELECT 'checklist' AS kind, id FROM checklists WHERE "cardId" = NEW.id
      UNION ALL SELECT 'checklistItem', i.id FROM checklist_items i
        JOIN checklists c ON c.id = i."checklistId" WHERE c."cardId" = NEW.id
      UNION ALL SELECT 'comment', id FROM comments WHERE "cardId" = NEW.id
      UNION ALL SELECT 'attachment', id FROM attachments WHERE "cardId" = NEW.id) part
    CROSS JOIN LATERAL (
      SELECT r.id FROM imported_items r
      WHERE r."boardId" = OLD."boardId" AND r."targetId" = part.id AND r.kind = part.kind
      OFFSET 0) found) moved
  WHERE item.id = moved.id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION check_label_board()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  card bigint;
BEGIN
  IF TG_TABLE_NAME = 'cards' THEN card := NEW.id; ELSE card := NEW."cardId"; END IF;
  IF EXISTS (SELECT 1 FROM card_labels x
      JOIN cards c ON c.id = x."cardId"
      JOIN labels l ON l.id = x."labelId"
      WHERE x."cardId" = card AND c."boardId" <> l."boardId") THEN
    RAISE EXCEPTION 'Card % has a label of another board', card
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION search_fold(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  folded text COLLATE "C" := lower(value COLLATE "C");
  found text COLLATE "C";
  -- Capitals, and letters without a decomposition.
  capitals CONSTANT text COLLATE "C" :=
    'ÐØðøĐđĦħıĸŁłŦŧƀƁƂƃƄƆƇƈƉƊƋƌƍƎƏƐƑƒƓƔƖƗƘƙƚƛƜƝƞƟƤƥƦƧƫƬƭƮƱƲƳƴƵƶƸƼƿǀǁǃǝǤǥǷȜȝȠȡȤȥȴȵȶȷȺȻȼȽȾȿɀɁɃɄɅɆɇɈɉɊɋɌɍɎɏͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿÆŒÞẞŊŋЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲀᲁᲂᲃᲄᲅᲆᲇᲈᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿỺỼỾℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡';
  small CONSTANT text COLLATE "C" :=
    'dododdhhiqllttbbbbƅoccddddzeeeffggiikkllwnnopprƨttttuvyyzzƹƽwcxqeggwyyndzzlntjaccltszɂbuaeejjqqrryyͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωσϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽæœþßnnђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽвдосттъѣꙋᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿỻỽỿⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃';
BEGIN
  IF octet_length(folded) = length(folded) THEN RETURN folded; END IF;
  -- Accents, vowel points, and characters that are not seen.
  folded := lower(regexp_replace(normalize(value, NFKD) COLLATE "C",
    '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0640\u064b-\u065f\u0670'
    '\u200b-\u200f\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff\U000e0020-\U000e007f\U000e0100-\U000e01ef]', '', 'g'));
  -- translate() takes long for a long list: it gets the letters that occur.
  found := regexp_replace(folded, '[^' || capitals || ']+', '', 'g');
  IF found <> '' THEN
    found := array_to_string(tsvector_to_array(array_to_tsvector(string_to_array(found, NULL))), '');
    folded := translate(folded, found, translate(found, capitals, small));
  END IF;
  folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  RETURN CASE WHEN folded ~ '[\u0900-\U0010ffff]' THEN normalize(folded, NFC) ELSE folded END;
END $function$
;

CREATE OR REPLACE FUNCTION search_run_class()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT
    '['
    '+#$%@=\u00a2-\u00a5\u00a7\u00a9\u00ac\u00ae-\u00b1\u00d7\u00f7\u0e01-\u0e4e\u0e50-\u0e59\u0e81-'
    '\u0f03\u0f13\u0f15-\u0f39\u0f3e-\u0f84\u0f86-\u0fcf\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-'
    '\u17d3\u17d7\u17db-\u17f9\u1950-\u19ff\u1a20-\u1a99\u1b00-\u1b4c\u1b50-\u1b59\u1b61-\u1b7c\u20a0-'
    '\u20cf\u2100-\u2307\u230c-\u2767\u2776-\u27c4\u27c7-\u27e5\u27f0-\u2982\u2999-\u29d7\u29dc-\u29fb'
    '\u29fe-\u2bff\u2e80-\u2fff\u3004-\u3007\u3012-\u3013\u3020-\u302f\u3031-\u303c\u303e-\u309f\u30a1-'
    '\u30fa\u30fc-\ua4cf\ua960-\ua9c0\ua9cf-\ua9d9\ua9e0-\ua9fe\uaa60-\uaadd\uac00-\ud7fb\uf900-'
    '\ufaff\U0001aff0-\U0001b167\U0001d000-\U0001d7ff\U0001f000-\U0001fbff\U00020000-\U0003347f'
    ']' $function$
;

CREATE OR REPLACE FUNCTION is_word(run text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT run COLLATE "C" >= '0' AND run COLLATE "C" < ':' OR run COLLATE "C" >= 'a' AND run COLLATE "C" < '{'
  OR left(run, 1) COLLATE "C" !~ search_run_class() $function$
;

CREATE OR REPLACE FUNCTION search_runs(folded text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  IF octet_length(folded) = length(folded) THEN
    RETURN array_remove(regexp_split_to_array(
      regexp_replace(folded COLLATE "C", '([+#$%@=]+)', ' \1 ', 'g') COLLATE "C",
      '[\x01-\x20!"&''()*,\-./:;<>?\[\\\]^_`{|}~\x7f]+'), '');
  END IF;
  RETURN array_remove(regexp_split_to_array(
    regexp_replace(folded COLLATE "C", '(' || search_run_class() || '+)', ' \1 ', 'g') COLLATE "C",
    '[\x01-\x20!"&''()*,\-./:;<>?\[\\\]^_`{|}~\x7f'
    '\u0080-\u00a1\u00ab\u00ad\u00b6-\u00bf\u055a-\u055f\u0589-\u058a\u05be\u05c0\u05c3\u05c6\u05f3-'
    '\u0605\u0609-\u060a\u060c-\u060d\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u0700-\u070f\u07f7-\u07f9'
    '\u0830-\u083e\u085e\u0890-\u0891\u08e2\u0964-\u0965\u0970\u09fd\u0a76\u0af0\u0c77\u0c84\u0df4\u0e4f'
    '\u0e5a-\u0e5b\u0f04-\u0f12\u0f14\u0f3a-\u0f3d\u0f85\u0fd0-\u0fd4\u0fd9-\u0fda\u104a-\u104f\u10fb'
    '\u1360-\u1368\u1400\u166e\u1680\u169b-\u169c\u16eb-\u16ed\u1735-\u1736\u17d4-\u17d6\u17d8-\u17da'
    '\u1800-\u180a\u180e\u1944-\u1945\u1a1e-\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e-\u1b4f\u1b5a-\u1b60'
    '\u1b7d-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e-\u1c7f\u1cc0-\u1cc7\u1cd3\u2000-\u206f\u2308-\u230b'
    '\u2768-\u2775\u27c5-\u27c6\u27e6-\u27ef\u2983-\u2998\u29d8-\u29db\u29fc-\u29fd\u2cf9-\u2cfc\u2cfe-'
    '\u2cff\u2d70\u2e00-\u2e2e\u2e30-\u2e4f\u2e52-\u2e5d\u3000-\u3003\u3008-\u3011\u3014-\u301f\u3030'
    '\u303d\u30a0\u30fb\ua4fe-\ua4ff\ua60d-\ua60f\ua673\ua67e\ua6f2-\ua6f7\ua874-\ua877\ua8ce-\ua8cf'
    '\ua8f8-\ua8fa\ua8fc\ua92e-\ua92f\ua95f\ua9c1-\ua9cd\ua9de-\ua9df\uaa5c-\uaa5f\uaade-\uaadf\uaaf0-'
    '\uaaf1\uabeb\ufd3e-\ufd3f\ufe30-\ufe52\ufeff-\ufffb'
    ']+'), '');
END $function$
;

CREATE OR REPLACE FUNCTION search_parts(run text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE chars text[];
BEGIN
  IF is_word(run) THEN RETURN ARRAY[left(run, 200)]; END IF;
  IF length(run) = 1 THEN RETURN ARRAY[run]; END IF;
  chars := string_to_array(run, NULL);
  RETURN array_remove(ARRAY(SELECT unnest(ARRAY[c, c || next]) FROM unnest(chars, chars[2:]) AS pairs(c, next)), NULL);
END $function$
;

CREATE OR REPLACE FUNCTION search_units(run text)
 RETURNS TABLE(unit text, size integer)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE ROWS 2
AS $function$ SELECT unit, CASE WHEN is_word(run) THEN 0 ELSE length(unit) END FROM unnest(search_parts(run)) AS unit $function$
;

CREATE OR REPLACE FUNCTION search_vector(value text, weight text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  folded text COLLATE "C" := left(search_fold(value), 100000);
  words tsvector := '';
  runs text[];
BEGIN
  -- PostgreSQL's own parser is faster. It knows ASCII words everywhere, but splits 1e2x, which it takes for a number,
  -- and a token has at most 2,046 bytes.
  IF octet_length(folded) = length(folded) AND folded !~ '[0-9]e[0-9]'
    AND (length(folded) < 1000 OR folded !~ '[a-z0-9]{201}') THEN
    words := to_tsvector('simple', regexp_replace(folded, '[^a-z0-9 ]+', ' ', 'g'));
    IF weight = 'A' THEN words := setweight(words, 'A'); END IF;
    folded := regexp_replace(folded, '[^+#$%@=]+', ' ', 'g');
    IF folded = ' ' THEN RETURN words; END IF;
  END IF;
  runs := search_runs(folded);
  IF length(folded) < 10000 THEN
    RETURN words || (SELECT coalesce(string_agg('''' || unit || ''':' || nth || weight, ' '), '')
      FROM (SELECT unnest(CASE WHEN is_word(run) THEN ARRAY[left(run, 200)] ELSE search_parts(run) END) AS unit, nth
        FROM unnest(runs) WITH ORDINALITY AS each(run, nth)) AS units)::tsvector;
  END IF;
  RETURN words || array_to_tsvector(ARRAY(
    SELECT unit FROM (SELECT unit, row_number() OVER () AS nth
      FROM (SELECT unnest(search_parts(run)) AS unit FROM unnest(runs) AS run) AS parts) AS units
    GROUP BY unit ORDER BY min(nth) LIMIT 25000));
END $function$
;

CREATE OR REPLACE FUNCTION search_ascii(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ BEGIN
  IF octet_length(value) = length(value) THEN RETURN value; END IF;
  RETURN (SELECT string_agg(CASE WHEN octet_length(c) = 1 THEN c
      ELSE substr('abcdefghijklmnopqrstuvwxyz0123456789', ascii(c) % 36 + 1, 1) END, '' ORDER BY nth)
    FROM unnest(string_to_array(value, NULL)) WITH ORDINALITY AS chars(c, nth));
END $function$
;

CREATE OR REPLACE FUNCTION similar_words(boards bigint[], query text, OUT word text, OUT "boardIds" bigint[])
 RETURNS SETOF record
 LANGUAGE sql
 STABLE
 SET "pg_trgm.word_similarity_threshold" TO '0.45'
AS $function$ SELECT w.word, array_agg(board) FROM unnest(boards) AS board
  CROSS JOIN LATERAL (SELECT s.word FROM search_words s
    WHERE s."boardId" = board AND NOT s."isStale" AND search_ascii(query) <% search_ascii(s.word)
      AND (octet_length(s.word) = length(s.word)) = (octet_length(query) = length(query)) OFFSET 0) AS w
  GROUP BY w.word
  ORDER BY word_similarity(search_ascii(query), search_ascii(w.word)) DESC, length(w.word), w.word COLLATE "C" $function$
;

CREATE OR REPLACE FUNCTION add_search_words(board bigint, name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$ BEGIN
  INSERT INTO search_words ("boardId", word)
  SELECT board, word FROM words_of_name(name) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."boardId" = board AND s.word = word.word);
END $function$
;

CREATE TABLE api_keys (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "userId" bigint NOT NULL,
  name text NOT NULL,
  "keyHash" text NOT NULL,
  prefix text NOT NULL,
  "allPermissions" boolean DEFAULT true NOT NULL,
  permissions text[],
  "workspaceId" bigint,
  "boardId" bigint,
  "readOnly" boolean DEFAULT false NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "lastUsedAt" timestamp(3) with time zone,
  "expiresAt" timestamp(3) with time zone,
  "revokedAt" timestamp(3) with time zone
);

CREATE TABLE attachments (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "cardId" bigint NOT NULL,
  kind "AttachmentKind" DEFAULT 'file'::"AttachmentKind" NOT NULL,
  status "AttachmentStatus" DEFAULT 'pending'::"AttachmentStatus" NOT NULL,
  filename text NOT NULL,
  "contentType" text NOT NULL,
  size bigint,
  sha256 text,
  "storageKey" text,
  url text,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "deletedAt" timestamp(3) with time zone
);

CREATE TABLE board_favourites (
  "userId" bigint NOT NULL,
  "boardId" bigint NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE board_members (
  "boardId" bigint NOT NULL,
  "memberId" bigint NOT NULL,
  "workspaceId" bigint NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE boards (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  name text NOT NULL,
  description text,
  slug text NOT NULL,
  type "BoardType" DEFAULT 'regular'::"BoardType" NOT NULL,
  visibility "BoardVisibility" DEFAULT 'private'::"BoardVisibility" NOT NULL,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "archivedAt" timestamp(3) with time zone,
  "deletedAt" timestamp(3) with time zone
);

CREATE TABLE card_aliases (
  "workspaceId" bigint NOT NULL,
  number integer NOT NULL,
  "cardId" bigint NOT NULL
);

CREATE TABLE card_labels (
  "cardId" bigint NOT NULL,
  "labelId" bigint NOT NULL,
  "workspaceId" bigint NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE card_members (
  "cardId" bigint NOT NULL,
  "memberId" bigint NOT NULL,
  "workspaceId" bigint NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "openDueDate" timestamp(3) with time zone
);

CREATE TABLE card_watchers (
  "cardId" bigint NOT NULL,
  "userId" bigint NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE cards (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "boardId" bigint NOT NULL,
  "listId" bigint NOT NULL,
  number integer NOT NULL,
  title text NOT NULL,
  description text,
  "startDate" timestamp(3) with time zone,
  "dueDate" timestamp(3) with time zone,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "completedAt" timestamp(3) with time zone,
  "archivedAt" timestamp(3) with time zone,
  "deletedAt" timestamp(3) with time zone,
  "position" numeric NOT NULL
);

CREATE TABLE checklist_items (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "checklistId" bigint NOT NULL,
  title text NOT NULL,
  "memberId" bigint,
  "dueDate" timestamp(3) with time zone,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "completedAt" timestamp(3) with time zone,
  "deletedAt" timestamp(3) with time zone,
  "importSource" text,
  "importAssigneeId" text,
  "position" numeric NOT NULL
);

CREATE TABLE checklists (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "cardId" bigint NOT NULL,
  name text NOT NULL,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "deletedAt" timestamp(3) with time zone,
  "position" numeric NOT NULL
);

CREATE TABLE client_ids (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  operation text NOT NULL,
  target text NOT NULL,
  scope text NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "goneAt" timestamp(3) with time zone
);

CREATE TABLE comments (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "cardId" bigint NOT NULL,
  comment text NOT NULL,
  "createdById" bigint,
  "authorName" text,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "deletedAt" timestamp(3) with time zone,
  "importSource" text,
  "importAuthorId" text
);

CREATE TABLE deliveries (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "webhookId" bigint NOT NULL,
  "eventId" bigint,
  type text NOT NULL,
  status "DeliveryStatus" DEFAULT 'pending'::"DeliveryStatus" NOT NULL,
  "attemptCount" integer DEFAULT 0 NOT NULL,
  "nextAttemptAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "finishedAt" timestamp(3) with time zone,
  error text,
  "statusCode" integer
);

CREATE TABLE delivery_attempts (
  id bigserial NOT NULL,
  "deliveryId" bigint NOT NULL,
  number integer NOT NULL,
  "startedAt" timestamp(3) with time zone NOT NULL,
  "durationMs" integer NOT NULL,
  "statusCode" integer,
  error text,
  response text
);

CREATE TABLE events (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "boardPublicId" text,
  "cardPublicId" text,
  type text NOT NULL,
  "isActivity" boolean DEFAULT false NOT NULL,
  "actorType" "ActorType" NOT NULL,
  "actorUserId" bigint,
  "actorPublicId" text,
  "actorName" text NOT NULL,
  credential text,
  ip text,
  "requestId" text,
  data jsonb NOT NULL,
  changes jsonb,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "mutationId" text,
  number bigint
);

CREATE TABLE idempotency_keys (
  id bigserial NOT NULL,
  scope text NOT NULL,
  key text NOT NULL,
  "requestHash" text NOT NULL,
  answer text,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "lockedBy" integer
);

CREATE TABLE import_files (
  id bigserial NOT NULL,
  "importId" bigint NOT NULL,
  "workspaceId" bigint NOT NULL,
  "storageKey" text NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE import_issues (
  id bigserial NOT NULL,
  "importId" bigint NOT NULL,
  "workspaceId" bigint NOT NULL,
  kind text NOT NULL,
  "sourceId" text,
  name text,
  reason text NOT NULL,
  count integer DEFAULT 1 NOT NULL,
  severity "ImportSeverity" DEFAULT 'loss'::"ImportSeverity" NOT NULL,
  detail text,
  "cardPublicId" text
);

CREATE TABLE imported_assignments (
  "cardId" bigint NOT NULL,
  source text NOT NULL,
  "sourceId" text NOT NULL,
  "workspaceId" bigint NOT NULL
);

CREATE TABLE imported_items (
  id bigserial NOT NULL,
  "workspaceId" bigint NOT NULL,
  "importId" bigint,
  source text NOT NULL,
  kind text NOT NULL,
  "sourceId" text NOT NULL,
  "targetId" bigint NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "boardId" bigint
);

CREATE TABLE imported_people (
  id bigserial NOT NULL,
  "workspaceId" bigint NOT NULL,
  source text NOT NULL,
  "sourceId" text NOT NULL,
  name text NOT NULL,
  "memberId" bigint,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE imports (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  source text NOT NULL,
  status "ImportStatus" DEFAULT 'queued'::"ImportStatus" NOT NULL,
  phase text,
  done integer DEFAULT 0 NOT NULL,
  total integer,
  input text NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "startedAt" timestamp(3) with time zone,
  "finishedAt" timestamp(3) with time zone,
  counts jsonb DEFAULT '{}'::jsonb NOT NULL,
  "createdById" bigint,
  error text,
  family text NOT NULL,
  fingerprint text,
  "lockedBy" text,
  version integer DEFAULT 1 NOT NULL,
  waits integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL
);

CREATE TABLE integrations (
  id bigserial NOT NULL,
  "userId" bigint NOT NULL,
  provider text NOT NULL,
  account text,
  scopes text[],
  "accessToken" text NOT NULL,
  "refreshToken" text,
  "tokenExpiresAt" timestamp(3) with time zone,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE invites (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "sealedCode" text,
  "roleId" bigint NOT NULL,
  "memberId" bigint,
  "createdById" bigint,
  "maxUses" integer,
  uses integer DEFAULT 0 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "deactivatedAt" timestamp(3) with time zone,
  "codeHash" text NOT NULL
);

CREATE TABLE jobs (
  id bigserial NOT NULL,
  kind text NOT NULL,
  "uniqueKey" text,
  "workspaceId" bigint,
  payload jsonb DEFAULT '{}'::jsonb NOT NULL,
  status "JobStatus" DEFAULT 'queued'::"JobStatus" NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  "maxAttempts" integer DEFAULT 10 NOT NULL,
  "runAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "leasedUntil" timestamp(3) with time zone,
  "leasedBy" text,
  "lastError" text,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "finishedAt" timestamp(3) with time zone,
  priority integer DEFAULT 0 NOT NULL,
  recipient text,
  "accountId" bigint DEFAULT 0 NOT NULL,
  "startedAt" timestamp(3) with time zone
);

CREATE TABLE labels (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "boardId" bigint NOT NULL,
  name text NOT NULL,
  "colourCode" text,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "deletedAt" timestamp(3) with time zone
);

CREATE TABLE lists (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "boardId" bigint NOT NULL,
  name text NOT NULL,
  "wipLimit" integer,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "archivedAt" timestamp(3) with time zone,
  "deletedAt" timestamp(3) with time zone,
  "position" numeric NOT NULL
);

CREATE TABLE member_overrides (
  "memberId" bigint NOT NULL,
  permission text NOT NULL,
  granted boolean NOT NULL,
  "workspaceId" bigint NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE members (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "userId" bigint,
  email text NOT NULL,
  "roleId" bigint NOT NULL,
  status "MemberStatus" DEFAULT 'invited'::"MemberStatus" NOT NULL,
  "invitedById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "joinedAt" timestamp(3) with time zone,
  "removedAt" timestamp(3) with time zone
);

CREATE TABLE notifications (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "userId" bigint NOT NULL,
  "workspaceId" bigint NOT NULL,
  "eventId" bigint,
  "boardId" bigint,
  "cardId" bigint,
  type text NOT NULL,
  data jsonb NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "readAt" timestamp(3) with time zone,
  "mailedAt" timestamp(3) with time zone,
  "uniqueKey" text,
  "byMail" boolean DEFAULT true NOT NULL,
  "inApp" boolean DEFAULT true NOT NULL
);

CREATE TABLE oauth_states (
  id bigserial NOT NULL,
  "userId" bigint NOT NULL,
  provider text NOT NULL,
  "stateHash" text NOT NULL,
  "codeVerifier" text NOT NULL,
  "returnUrl" text,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "usedAt" timestamp(3) with time zone,
  "sessionId" bigint,
  "nonceHash" text,
  "resultHash" text,
  code text
);

CREATE TABLE password_resets (
  id bigserial NOT NULL,
  "userId" bigint NOT NULL,
  "tokenHash" text NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "usedAt" timestamp(3) with time zone
);

CREATE TABLE refresh_tokens (
  id bigserial NOT NULL,
  "sessionId" bigint NOT NULL,
  "tokenHash" text NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "spentAt" timestamp(3) with time zone
);

CREATE TABLE roles (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  name text NOT NULL,
  description text,
  "hierarchyLevel" integer NOT NULL,
  "isSystem" boolean DEFAULT false NOT NULL,
  permissions text[],
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE search_texts (
  type text NOT NULL,
  id bigint NOT NULL,
  "scopeId" bigint NOT NULL,
  "titleHash" bigint,
  words tsvector NOT NULL
);

CREATE TABLE search_words (
  id bigserial NOT NULL,
  "boardId" bigint NOT NULL,
  word text NOT NULL,
  "isStale" boolean DEFAULT false NOT NULL
);

CREATE TABLE sessions (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "userId" bigint NOT NULL,
  "userAgent" text,
  ip text,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "lastUsedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "revokedAt" timestamp(3) with time zone
);

CREATE TABLE stream_tickets (
  id bigserial NOT NULL,
  "userId" bigint NOT NULL,
  "ticketHash" text NOT NULL,
  credential jsonb NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "usedAt" timestamp(3) with time zone
);

CREATE TABLE user_events (
  id bigserial NOT NULL,
  "userId" bigint NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  "createdAt" timestamp(3) with time zone NOT NULL,
  number bigint NOT NULL,
  "publicId" text NOT NULL
);

CREATE TABLE user_logs (
  "userId" bigint NOT NULL,
  last bigint NOT NULL
);

CREATE TABLE users (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  image text,
  "passwordHash" text,
  issuer text,
  subject text,
  "notificationSettings" jsonb DEFAULT '{}'::jsonb NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "deletedAt" timestamp(3) with time zone,
  "emailVerifiedAt" timestamp(3) with time zone,
  "timeZone" text,
  "issuerProfile" jsonb
);

CREATE TABLE webhooks (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  "workspaceId" bigint NOT NULL,
  "boardId" bigint,
  name text NOT NULL,
  url text NOT NULL,
  events text[],
  secret text NOT NULL,
  "previousSecret" text,
  "previousSecretExpiresAt" timestamp(3) with time zone,
  active boolean DEFAULT true NOT NULL,
  "lastSuccessAt" timestamp(3) with time zone,
  "lastFailureAt" timestamp(3) with time zone,
  "failingSince" timestamp(3) with time zone,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "deletedAt" timestamp(3) with time zone,
  "leasedBy" text,
  "leasedUntil" timestamp(3) with time zone
);

CREATE TABLE workspace_logs (
  "workspaceId" bigint NOT NULL,
  last bigint NOT NULL
);

CREATE TABLE workspaces (
  id bigserial NOT NULL,
  "publicId" text NOT NULL,
  name text NOT NULL,
  description text,
  slug text NOT NULL,
  plan "Plan" DEFAULT 'free'::"Plan" NOT NULL,
  "cardPrefix" text NOT NULL,
  "lastCardNumber" integer DEFAULT 0 NOT NULL,
  "weekStartDay" integer DEFAULT 1 NOT NULL,
  "showEmailsToMembers" boolean DEFAULT true NOT NULL,
  "createdById" bigint,
  version integer DEFAULT 1 NOT NULL,
  "createdAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updatedAt" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "deletedAt" timestamp(3) with time zone,
  "timeZone" text
);

ALTER TABLE api_keys ADD CONSTRAINT api_keys_permissions_check CHECK (are_permissions(permissions));

ALTER TABLE api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE attachments ADD CONSTRAINT attachments_pkey PRIMARY KEY (id);

ALTER TABLE board_favourites ADD CONSTRAINT board_favourites_pkey PRIMARY KEY ("userId", "boardId");

ALTER TABLE board_members ADD CONSTRAINT board_members_pkey PRIMARY KEY ("boardId", "memberId");

ALTER TABLE boards ADD CONSTRAINT boards_pkey PRIMARY KEY (id);

ALTER TABLE boards ADD CONSTRAINT boards_slug_check CHECK ((slug = lower(slug)));

ALTER TABLE card_aliases ADD CONSTRAINT card_aliases_pkey PRIMARY KEY ("workspaceId", number);

ALTER TABLE card_labels ADD CONSTRAINT card_labels_pkey PRIMARY KEY ("cardId", "labelId");

ALTER TABLE card_members ADD CONSTRAINT card_members_pkey PRIMARY KEY ("cardId", "memberId");

ALTER TABLE card_watchers ADD CONSTRAINT card_watchers_pkey PRIMARY KEY ("cardId", "userId");

ALTER TABLE cards ADD CONSTRAINT cards_number_check CHECK ((number > 0));

ALTER TABLE cards ADD CONSTRAINT cards_pkey PRIMARY KEY (id);

ALTER TABLE checklist_items ADD CONSTRAINT "checklist_items_importSource_check" CHECK (("importSource" = ANY (ARRAY['trello'::text, 'github'::text, 'workspace'::text])));

ALTER TABLE checklist_items ADD CONSTRAINT checklist_items_pkey PRIMARY KEY (id);

ALTER TABLE checklists ADD CONSTRAINT checklists_pkey PRIMARY KEY (id);

ALTER TABLE client_ids ADD CONSTRAINT client_ids_pkey PRIMARY KEY (id);

ALTER TABLE comments ADD CONSTRAINT "comments_importSource_check" CHECK (("importSource" = ANY (ARRAY['trello'::text, 'github'::text, 'workspace'::text])));

ALTER TABLE comments ADD CONSTRAINT comments_pkey PRIMARY KEY (id);

ALTER TABLE deliveries ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (id);

ALTER TABLE events ADD CONSTRAINT events_credential_check CHECK ((credential = ANY (ARRAY['session'::text, 'apiKey'::text, 'issuer'::text])));

ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (id);

ALTER TABLE events ADD CONSTRAINT events_type_check CHECK ((type ~ '^[a-z_]+\.[a-z_]+$'::text));

ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id);

ALTER TABLE import_files ADD CONSTRAINT import_files_pkey PRIMARY KEY (id);

ALTER TABLE import_issues ADD CONSTRAINT import_issues_pkey PRIMARY KEY (id);

ALTER TABLE imported_assignments ADD CONSTRAINT imported_assignments_pkey PRIMARY KEY ("cardId", source, "sourceId");

ALTER TABLE imported_assignments ADD CONSTRAINT imported_assignments_source_check CHECK ((source = ANY (ARRAY['trello'::text, 'github'::text, 'workspace'::text])));

ALTER TABLE imported_items ADD CONSTRAINT imported_items_pkey PRIMARY KEY (id);

ALTER TABLE imported_items ADD CONSTRAINT imported_items_source_check CHECK ((source = ANY (ARRAY['trello'::text, 'github'::text, 'workspace'::text])));

ALTER TABLE imported_people ADD CONSTRAINT imported_people_pkey PRIMARY KEY (id);

ALTER TABLE imported_people ADD CONSTRAINT imported_people_source_check CHECK ((source = ANY (ARRAY['trello'::text, 'github'::text, 'workspace'::text])));

ALTER TABLE imports ADD CONSTRAINT imports_family_check CHECK ((family = ANY (ARRAY['trello'::text, 'github'::text, 'workspace'::text])));

ALTER TABLE imports ADD CONSTRAINT imports_pkey PRIMARY KEY (id);

ALTER TABLE imports ADD CONSTRAINT imports_source_check CHECK ((source = ANY (ARRAY['trello'::text, 'trelloFile'::text, 'github'::text, 'workspace'::text])));

ALTER TABLE integrations ADD CONSTRAINT integrations_pkey PRIMARY KEY (id);

ALTER TABLE integrations ADD CONSTRAINT integrations_provider_check CHECK ((provider = ANY (ARRAY['github'::text, 'trello'::text])));

ALTER TABLE invites ADD CONSTRAINT invites_pkey PRIMARY KEY (id);

ALTER TABLE jobs ADD CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['mail'::text, 'passwordReset'::text, 'digest'::text, 'dueSoon'::text, 'purge'::text, 'import'::text, 'anonymizeUser'::text])));

ALTER TABLE jobs ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE labels ADD CONSTRAINT labels_colour_check CHECK (("colourCode" ~ '^#[0-9a-fA-F]{6}$'::text));

ALTER TABLE labels ADD CONSTRAINT labels_pkey PRIMARY KEY (id);

ALTER TABLE lists ADD CONSTRAINT lists_pkey PRIMARY KEY (id);

ALTER TABLE lists ADD CONSTRAINT lists_wip_check CHECK ((("wipLimit" >= 1) AND ("wipLimit" <= 1000)));

ALTER TABLE member_overrides ADD CONSTRAINT member_overrides_permission_check CHECK (are_permissions(ARRAY[permission]));

ALTER TABLE member_overrides ADD CONSTRAINT member_overrides_pkey PRIMARY KEY ("memberId", permission);

ALTER TABLE members ADD CONSTRAINT members_active_check CHECK (((status <> 'active'::"MemberStatus") OR ("userId" IS NOT NULL)));

ALTER TABLE members ADD CONSTRAINT members_email_check CHECK ((email = lower(email)));

ALTER TABLE members ADD CONSTRAINT members_pkey PRIMARY KEY (id);

ALTER TABLE notifications ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);

ALTER TABLE notifications ADD CONSTRAINT notifications_type_check CHECK ((type = ANY (ARRAY['assigned'::text, 'mentioned'::text, 'watched'::text, 'due_soon'::text, 'invited'::text, 'webhook_disabled'::text])));

ALTER TABLE oauth_states ADD CONSTRAINT oauth_states_pkey PRIMARY KEY (id);

ALTER TABLE oauth_states ADD CONSTRAINT oauth_states_provider_check CHECK ((provider = ANY (ARRAY['github'::text, 'trello'::text])));

ALTER TABLE password_resets ADD CONSTRAINT password_resets_pkey PRIMARY KEY (id);

ALTER TABLE refresh_tokens ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id);

ALTER TABLE roles ADD CONSTRAINT roles_level_check CHECK ((("hierarchyLevel" >= 1) AND ("hierarchyLevel" <= 100)));

ALTER TABLE roles ADD CONSTRAINT roles_permissions_check CHECK (are_permissions(permissions));

ALTER TABLE roles ADD CONSTRAINT roles_pkey PRIMARY KEY (id);

ALTER TABLE search_texts ADD CONSTRAINT search_texts_pkey PRIMARY KEY (type, id);

ALTER TABLE search_texts ADD CONSTRAINT search_texts_type_check CHECK ((type = ANY (ARRAY['board'::text, 'card'::text, 'comment'::text])));

ALTER TABLE search_words ADD CONSTRAINT search_words_pkey PRIMARY KEY (id);

ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE stream_tickets ADD CONSTRAINT stream_tickets_pkey PRIMARY KEY (id);

ALTER TABLE user_events ADD CONSTRAINT user_events_pkey PRIMARY KEY (id);

ALTER TABLE user_logs ADD CONSTRAINT user_logs_pkey PRIMARY KEY ("userId");

ALTER TABLE users ADD CONSTRAINT users_email_check CHECK ((email = lower(email)));

ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE webhooks ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

ALTER TABLE workspace_logs ADD CONSTRAINT workspace_logs_pkey PRIMARY KEY ("workspaceId");

ALTER TABLE workspaces ADD CONSTRAINT workspaces_number_check CHECK (("lastCardNumber" >= 0));

ALTER TABLE workspaces ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);

ALTER TABLE workspaces ADD CONSTRAINT workspaces_slug_check CHECK ((slug = lower(slug)));

ALTER TABLE workspaces ADD CONSTRAINT workspaces_week_check CHECK ((("weekStartDay" >= 0) AND ("weekStartDay" <= 6)));

CREATE INDEX "api_keys_boardId_idx" ON api_keys USING btree ("boardId");

CREATE UNIQUE INDEX "api_keys_keyHash_key" ON api_keys USING btree ("keyHash");

CREATE UNIQUE INDEX "api_keys_publicId_key" ON api_keys USING btree ("publicId");

CREATE INDEX "api_keys_userId_idx" ON api_keys USING btree ("userId");

CREATE INDEX "api_keys_workspaceId_idx" ON api_keys USING btree ("workspaceId");

CREATE INDEX "attachments_cardId_createdAt_idx" ON attachments USING btree ("cardId", "createdAt");

CREATE UNIQUE INDEX "attachments_publicId_key" ON attachments USING btree ("publicId");

CREATE INDEX "attachments_storageKey_idx" ON attachments USING btree ("storageKey");

CREATE INDEX "attachments_workspaceId_idx" ON attachments USING btree ("workspaceId");

CREATE INDEX "board_favourites_boardId_idx" ON board_favourites USING btree ("boardId");

CREATE INDEX "board_members_memberId_idx" ON board_members USING btree ("memberId");

CREATE INDEX "board_members_workspaceId_idx" ON board_members USING btree ("workspaceId");

CREATE UNIQUE INDEX "boards_id_workspaceId_key" ON boards USING btree (id, "workspaceId");

CREATE UNIQUE INDEX "boards_publicId_key" ON boards USING btree ("publicId");

CREATE INDEX "boards_workspaceId_name_idx" ON boards USING btree ("workspaceId", name);

CREATE INDEX "card_aliases_cardId_idx" ON card_aliases USING btree ("cardId");

CREATE INDEX "card_labels_labelId_idx" ON card_labels USING btree ("labelId");

CREATE INDEX "card_labels_workspaceId_idx" ON card_labels USING btree ("workspaceId");

CREATE INDEX "card_members_memberId_idx" ON card_members USING btree ("memberId");

CREATE INDEX "card_members_workspaceId_idx" ON card_members USING btree ("workspaceId");

CREATE INDEX "card_watchers_userId_idx" ON card_watchers USING btree ("userId");

CREATE INDEX "cards_boardId_createdAt_id_idx" ON cards USING btree ("boardId", "createdAt", id);

CREATE INDEX "cards_boardId_dueDate_id_idx" ON cards USING btree ("boardId", "dueDate", id);

CREATE INDEX "cards_boardId_id_idx" ON cards USING btree ("boardId", id);

CREATE INDEX "cards_boardId_updatedAt_id_idx" ON cards USING btree ("boardId", "updatedAt", id);

CREATE UNIQUE INDEX "cards_id_workspaceId_key" ON cards USING btree (id, "workspaceId");

CREATE INDEX "cards_listId_idx" ON cards USING btree ("listId");

CREATE UNIQUE INDEX "cards_publicId_key" ON cards USING btree ("publicId");

CREATE UNIQUE INDEX "cards_workspaceId_number_key" ON cards USING btree ("workspaceId", number);

CREATE INDEX "checklist_items_checklistId_idx" ON checklist_items USING btree ("checklistId");

CREATE INDEX "checklist_items_memberId_idx" ON checklist_items USING btree ("memberId");

CREATE UNIQUE INDEX "checklist_items_publicId_key" ON checklist_items USING btree ("publicId");

CREATE INDEX "checklist_items_workspaceId_idx" ON checklist_items USING btree ("workspaceId");

CREATE INDEX "checklists_cardId_idx" ON checklists USING btree ("cardId");

CREATE UNIQUE INDEX "checklists_id_workspaceId_key" ON checklists USING btree (id, "workspaceId");

CREATE UNIQUE INDEX "checklists_publicId_key" ON checklists USING btree ("publicId");

CREATE INDEX "checklists_workspaceId_idx" ON checklists USING btree ("workspaceId");

CREATE INDEX "client_ids_createdAt_idx" ON client_ids USING btree ("createdAt");

CREATE UNIQUE INDEX "client_ids_publicId_key" ON client_ids USING btree ("publicId");

CREATE INDEX "comments_cardId_createdAt_idx" ON comments USING btree ("cardId", "createdAt");

CREATE INDEX "comments_createdById_idx" ON comments USING btree ("createdById");

CREATE UNIQUE INDEX "comments_publicId_key" ON comments USING btree ("publicId");

CREATE INDEX "comments_workspaceId_idx" ON comments USING btree ("workspaceId");

CREATE INDEX "deliveries_eventId_idx" ON deliveries USING btree ("eventId");

CREATE UNIQUE INDEX "deliveries_publicId_key" ON deliveries USING btree ("publicId");

CREATE INDEX "deliveries_webhookId_id_idx" ON deliveries USING btree ("webhookId", id);

CREATE INDEX "deliveries_workspaceId_idx" ON deliveries USING btree ("workspaceId");

CREATE UNIQUE INDEX "delivery_attempts_deliveryId_number_key" ON delivery_attempts USING btree ("deliveryId", number);

CREATE INDEX "events_boardPublicId_id_idx" ON events USING btree ("boardPublicId", id);

CREATE INDEX "events_cardPublicId_id_idx" ON events USING btree ("cardPublicId", id);

CREATE UNIQUE INDEX "events_publicId_key" ON events USING btree ("publicId");

CREATE UNIQUE INDEX "events_workspaceId_id_key" ON events USING btree ("workspaceId", id);

CREATE UNIQUE INDEX "events_workspaceId_number_key" ON events USING btree ("workspaceId", number);

CREATE INDEX "idempotency_keys_createdAt_idx" ON idempotency_keys USING btree ("createdAt");

CREATE INDEX "import_files_importId_idx" ON import_files USING btree ("importId");

CREATE UNIQUE INDEX "import_files_storageKey_key" ON import_files USING btree ("storageKey");

CREATE INDEX "import_files_workspaceId_idx" ON import_files USING btree ("workspaceId");

CREATE INDEX "import_issues_importId_severity_id_idx" ON import_issues USING btree ("importId", severity, id);

CREATE INDEX "import_issues_workspaceId_idx" ON import_issues USING btree ("workspaceId");

CREATE INDEX "imported_assignments_workspaceId_source_sourceId_idx" ON imported_assignments USING btree ("workspaceId", source, "sourceId");

CREATE INDEX "imported_items_boardId_targetId_idx" ON imported_items USING btree ("boardId", "targetId");

CREATE INDEX "imported_items_importId_idx" ON imported_items USING btree ("importId");

CREATE UNIQUE INDEX "imported_items_workspaceId_source_kind_sourceId_key" ON imported_items USING btree ("workspaceId", source, kind, "sourceId");

CREATE INDEX "imported_people_memberId_idx" ON imported_people USING btree ("memberId");

CREATE UNIQUE INDEX "imported_people_workspaceId_source_sourceId_key" ON imported_people USING btree ("workspaceId", source, "sourceId");

CREATE UNIQUE INDEX "imports_publicId_key" ON imports USING btree ("publicId");

CREATE UNIQUE INDEX "imports_workspaceId_id_key" ON imports USING btree ("workspaceId", id);

CREATE UNIQUE INDEX "integrations_userId_provider_key" ON integrations USING btree ("userId", provider);

CREATE UNIQUE INDEX "invites_codeHash_key" ON invites USING btree ("codeHash");

CREATE INDEX "invites_createdById_createdAt_idx" ON invites USING btree ("createdById", "createdAt");

CREATE INDEX "invites_memberId_idx" ON invites USING btree ("memberId");

CREATE UNIQUE INDEX "invites_publicId_key" ON invites USING btree ("publicId");

CREATE INDEX "invites_roleId_idx" ON invites USING btree ("roleId");

CREATE INDEX "invites_workspaceId_idx" ON invites USING btree ("workspaceId");

CREATE INDEX "jobs_workspaceId_idx" ON jobs USING btree ("workspaceId");

CREATE INDEX "labels_boardId_idx" ON labels USING btree ("boardId");

CREATE UNIQUE INDEX "labels_id_workspaceId_key" ON labels USING btree (id, "workspaceId");

CREATE UNIQUE INDEX "labels_publicId_key" ON labels USING btree ("publicId");

CREATE INDEX "labels_workspaceId_idx" ON labels USING btree ("workspaceId");

CREATE INDEX "lists_boardId_idx" ON lists USING btree ("boardId");

CREATE UNIQUE INDEX "lists_id_boardId_workspaceId_key" ON lists USING btree (id, "boardId", "workspaceId");

CREATE UNIQUE INDEX "lists_publicId_key" ON lists USING btree ("publicId");

CREATE INDEX "lists_workspaceId_idx" ON lists USING btree ("workspaceId");

CREATE INDEX "member_overrides_workspaceId_idx" ON member_overrides USING btree ("workspaceId");

CREATE UNIQUE INDEX "members_id_workspaceId_key" ON members USING btree (id, "workspaceId");

CREATE UNIQUE INDEX "members_publicId_key" ON members USING btree ("publicId");

CREATE INDEX "members_roleId_idx" ON members USING btree ("roleId");

CREATE INDEX "members_userId_idx" ON members USING btree ("userId");

CREATE UNIQUE INDEX "members_workspaceId_email_key" ON members USING btree ("workspaceId", email);

CREATE UNIQUE INDEX "members_workspaceId_userId_key" ON members USING btree ("workspaceId", "userId");

CREATE INDEX "notifications_boardId_idx" ON notifications USING btree ("boardId");

CREATE INDEX "notifications_cardId_idx" ON notifications USING btree ("cardId");

CREATE INDEX "notifications_createdAt_idx" ON notifications USING btree ("createdAt");

CREATE INDEX "notifications_eventId_idx" ON notifications USING btree ("eventId");

CREATE UNIQUE INDEX "notifications_publicId_key" ON notifications USING btree ("publicId");

CREATE UNIQUE INDEX "notifications_uniqueKey_key" ON notifications USING btree ("uniqueKey");

CREATE INDEX "notifications_userId_id_idx" ON notifications USING btree ("userId", id);

CREATE INDEX "notifications_workspaceId_idx" ON notifications USING btree ("workspaceId");

CREATE INDEX "oauth_states_expiresAt_idx" ON oauth_states USING btree ("expiresAt");

CREATE UNIQUE INDEX "oauth_states_resultHash_key" ON oauth_states USING btree ("resultHash");

CREATE UNIQUE INDEX "oauth_states_stateHash_key" ON oauth_states USING btree ("stateHash");

CREATE INDEX "oauth_states_userId_idx" ON oauth_states USING btree ("userId");

CREATE UNIQUE INDEX "password_resets_tokenHash_key" ON password_resets USING btree ("tokenHash");

CREATE INDEX "password_resets_userId_idx" ON password_resets USING btree ("userId");

CREATE INDEX "refresh_tokens_sessionId_idx" ON refresh_tokens USING btree ("sessionId");

CREATE UNIQUE INDEX "refresh_tokens_tokenHash_key" ON refresh_tokens USING btree ("tokenHash");

CREATE UNIQUE INDEX "roles_id_workspaceId_key" ON roles USING btree (id, "workspaceId");

CREATE UNIQUE INDEX "roles_publicId_key" ON roles USING btree ("publicId");

CREATE UNIQUE INDEX "roles_workspaceId_name_key" ON roles USING btree ("workspaceId", name);

CREATE INDEX "search_words_word_boardId_idx" ON search_words USING btree (word, "boardId");

CREATE INDEX "sessions_expiresAt_idx" ON sessions USING btree ("expiresAt");

CREATE UNIQUE INDEX "sessions_publicId_key" ON sessions USING btree ("publicId");

CREATE INDEX "sessions_userId_expiresAt_idx" ON sessions USING btree ("userId", "expiresAt");

CREATE INDEX "stream_tickets_expiresAt_idx" ON stream_tickets USING btree ("expiresAt");

CREATE UNIQUE INDEX "stream_tickets_ticketHash_key" ON stream_tickets USING btree ("ticketHash");

CREATE INDEX "stream_tickets_userId_idx" ON stream_tickets USING btree ("userId");

CREATE INDEX "user_events_createdAt_idx" ON user_events USING btree ("createdAt");

CREATE UNIQUE INDEX "user_events_publicId_key" ON user_events USING btree ("publicId");

CREATE UNIQUE INDEX "user_events_userId_number_key" ON user_events USING btree ("userId", number);

CREATE UNIQUE INDEX "users_publicId_key" ON users USING btree ("publicId");

CREATE INDEX "webhooks_boardId_idx" ON webhooks USING btree ("boardId");

CREATE UNIQUE INDEX "webhooks_id_workspaceId_key" ON webhooks USING btree (id, "workspaceId");

CREATE UNIQUE INDEX "webhooks_publicId_key" ON webhooks USING btree ("publicId");

CREATE INDEX "webhooks_workspaceId_idx" ON webhooks USING btree ("workspaceId");

CREATE UNIQUE INDEX "workspaces_publicId_key" ON workspaces USING btree ("publicId");

CREATE INDEX attachments_deleted ON attachments USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX attachments_pending ON attachments USING btree ("createdAt") WHERE (status = 'pending'::"AttachmentStatus");

CREATE INDEX boards_deleted ON boards USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE UNIQUE INDEX boards_slug_live ON boards USING btree ("workspaceId", slug) WHERE ("deletedAt" IS NULL);

CREATE INDEX card_members_open ON card_members USING btree ("memberId", "openDueDate", "cardId") WHERE ("openDueDate" IS NOT NULL);

CREATE INDEX cards_deleted ON cards USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX cards_due ON cards USING btree ("dueDate", id) WHERE (("deletedAt" IS NULL) AND ("archivedAt" IS NULL) AND ("completedAt" IS NULL) AND ("dueDate" IS NOT NULL));

CREATE UNIQUE INDEX cards_position_live ON cards USING btree ("listId", "position") INCLUDE ("archivedAt", "dueDate") WHERE ("deletedAt" IS NULL);

CREATE INDEX cards_trash ON cards USING btree ("workspaceId", "deletedAt", "publicId") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX checklist_items_deleted ON checklist_items USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX checklist_items_imported ON checklist_items USING btree ("workspaceId", "importSource", "importAssigneeId") WHERE ("importSource" IS NOT NULL);

CREATE UNIQUE INDEX checklist_items_position_live ON checklist_items USING btree ("checklistId", "position") WHERE ("deletedAt" IS NULL);

CREATE INDEX checklists_deleted ON checklists USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE UNIQUE INDEX checklists_position_live ON checklists USING btree ("cardId", "position") WHERE ("deletedAt" IS NULL);

CREATE INDEX comments_deleted ON comments USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX comments_imported ON comments USING btree ("workspaceId", "importSource", "importAuthorId") WHERE ("importSource" IS NOT NULL);

CREATE INDEX deliveries_due ON deliveries USING btree ("webhookId", "nextAttemptAt", id) WHERE (status = 'pending'::"DeliveryStatus");

CREATE INDEX deliveries_failed ON deliveries USING btree ("webhookId", id) WHERE (status = 'failed'::"DeliveryStatus");

CREATE INDEX deliveries_finished ON deliveries USING btree ("finishedAt") WHERE ("finishedAt" IS NOT NULL);

CREATE INDEX events_passing ON events USING btree ("createdAt") WHERE (NOT "isActivity");

CREATE UNIQUE INDEX idempotency_keys_scope_key_key ON idempotency_keys USING btree (scope, key);

CREATE UNIQUE INDEX imports_live ON imports USING btree ("workspaceId", fingerprint) WHERE (status = ANY (ARRAY['queued'::"ImportStatus", 'running'::"ImportStatus"]));

CREATE UNIQUE INDEX imports_running ON imports USING btree ("workspaceId", family) WHERE (status = 'running'::"ImportStatus");

CREATE UNIQUE INDEX invites_link_live ON invites USING btree ("workspaceId") WHERE (("memberId" IS NULL) AND ("deactivatedAt" IS NULL));

CREATE INDEX invites_unsealed ON invites USING btree (id) WHERE ("sealedCode" !~~ 'v1.%'::text);

CREATE INDEX jobs_finished ON jobs USING btree ("finishedAt") WHERE ("finishedAt" IS NOT NULL);

CREATE INDEX jobs_live ON jobs USING btree ("runAt", id) WHERE (status = ANY (ARRAY['queued'::"JobStatus", 'running'::"JobStatus"]));

CREATE INDEX jobs_live_of_account ON jobs USING btree (kind, "accountId", "runAt", id) WHERE (status = ANY (ARRAY['queued'::"JobStatus", 'running'::"JobStatus"]));

CREATE INDEX jobs_live_of_recipient ON jobs USING btree (recipient) WHERE ((status = ANY (ARRAY['queued'::"JobStatus", 'running'::"JobStatus"])) AND (recipient IS NOT NULL) AND ("workspaceId" IS NULL));

CREATE INDEX jobs_live_of_workspace ON jobs USING btree (kind, "accountId", COALESCE("workspaceId", (0)::bigint), "runAt", id) WHERE (status = ANY (ARRAY['queued'::"JobStatus", 'running'::"JobStatus"]));

CREATE INDEX jobs_next ON jobs USING btree (priority, "runAt", id) WHERE (status = ANY (ARRAY['queued'::"JobStatus", 'running'::"JobStatus"]));

CREATE INDEX jobs_running ON jobs USING btree (kind, "accountId") WHERE (status = 'running'::"JobStatus");

CREATE INDEX jobs_started_of_account ON jobs USING btree (kind, "accountId", "startedAt") WHERE ("startedAt" IS NOT NULL);

CREATE INDEX jobs_started_of_workspace ON jobs USING btree (kind, COALESCE("workspaceId", (0)::bigint), "startedAt") WHERE ("startedAt" IS NOT NULL);

CREATE UNIQUE INDEX jobs_unique_live ON jobs USING btree (kind, "uniqueKey") WHERE (status = ANY (ARRAY['queued'::"JobStatus", 'running'::"JobStatus"]));

CREATE INDEX labels_deleted ON labels USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX lists_deleted ON lists USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE UNIQUE INDEX lists_position_live ON lists USING btree ("boardId", "position") WHERE ("deletedAt" IS NULL);

CREATE INDEX members_email_idx ON members USING btree (email);

CREATE INDEX notifications_unmailed ON notifications USING btree ("userId", "createdAt") WHERE ("byMail" AND ("mailedAt" IS NULL) AND ("readAt" IS NULL));

CREATE INDEX refresh_tokens_spent ON refresh_tokens USING btree ("spentAt") WHERE ("spentAt" IS NOT NULL);

CREATE INDEX search_texts_tokens ON search_texts USING gin (search_tokens(type, "scopeId", "titleHash", words)) WITH (gin_pending_list_limit='64');

CREATE INDEX search_words_stale ON search_words USING btree (id) WHERE "isStale";

CREATE INDEX search_words_trigrams ON search_words USING gin ("boardId", search_ascii(word) gin_trgm_ops) WITH (gin_pending_list_limit='64') WHERE (NOT "isStale");

CREATE INDEX sessions_revoked ON sessions USING btree ("revokedAt") WHERE ("revokedAt" IS NOT NULL);

CREATE UNIQUE INDEX users_email_key ON users USING btree (email);

CREATE UNIQUE INDEX users_issuer_subject_key ON users USING btree (issuer, subject);

CREATE INDEX webhooks_deleted ON webhooks USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX webhooks_live ON webhooks USING btree ("workspaceId") WHERE ("deletedAt" IS NULL);

CREATE INDEX workspaces_deleted ON workspaces USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE UNIQUE INDEX workspaces_slug_key ON workspaces USING btree (slug);

ALTER TABLE api_keys ADD CONSTRAINT "api_keys_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES boards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE api_keys ADD CONSTRAINT "api_keys_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE api_keys ADD CONSTRAINT "api_keys_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE attachments ADD CONSTRAINT "attachments_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES cards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE attachments ADD CONSTRAINT "attachments_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE attachments ADD CONSTRAINT "attachments_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE board_favourites ADD CONSTRAINT "board_favourites_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES boards(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE board_favourites ADD CONSTRAINT "board_favourites_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE board_members ADD CONSTRAINT "board_members_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES boards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE board_members ADD CONSTRAINT "board_members_memberId_workspaceId_fkey" FOREIGN KEY ("memberId", "workspaceId") REFERENCES members(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE board_members ADD CONSTRAINT "board_members_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE boards ADD CONSTRAINT "boards_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE boards ADD CONSTRAINT "boards_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE card_aliases ADD CONSTRAINT "card_aliases_cardId_fkey" FOREIGN KEY ("cardId") REFERENCES cards(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE card_aliases ADD CONSTRAINT "card_aliases_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE card_labels ADD CONSTRAINT "card_labels_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES cards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE card_labels ADD CONSTRAINT "card_labels_labelId_workspaceId_fkey" FOREIGN KEY ("labelId", "workspaceId") REFERENCES labels(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE card_labels ADD CONSTRAINT "card_labels_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE card_members ADD CONSTRAINT "card_members_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES cards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE card_members ADD CONSTRAINT "card_members_memberId_workspaceId_fkey" FOREIGN KEY ("memberId", "workspaceId") REFERENCES members(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE card_members ADD CONSTRAINT "card_members_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE card_watchers ADD CONSTRAINT "card_watchers_cardId_fkey" FOREIGN KEY ("cardId") REFERENCES cards(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE card_watchers ADD CONSTRAINT "card_watchers_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE cards ADD CONSTRAINT "cards_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES boards(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE cards ADD CONSTRAINT "cards_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE cards ADD CONSTRAINT "cards_listId_boardId_workspaceId_fkey" FOREIGN KEY ("listId", "boardId", "workspaceId") REFERENCES lists(id, "boardId", "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE cards ADD CONSTRAINT "cards_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE checklist_items ADD CONSTRAINT "checklist_items_checklistId_workspaceId_fkey" FOREIGN KEY ("checklistId", "workspaceId") REFERENCES checklists(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE checklist_items ADD CONSTRAINT "checklist_items_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE checklist_items ADD CONSTRAINT "checklist_items_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES members(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE checklist_items ADD CONSTRAINT "checklist_items_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE checklists ADD CONSTRAINT "checklists_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES cards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE checklists ADD CONSTRAINT "checklists_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE checklists ADD CONSTRAINT "checklists_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE comments ADD CONSTRAINT "comments_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES cards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE comments ADD CONSTRAINT "comments_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE comments ADD CONSTRAINT "comments_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE deliveries ADD CONSTRAINT "deliveries_webhookId_workspaceId_fkey" FOREIGN KEY ("webhookId", "workspaceId") REFERENCES webhooks(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE deliveries ADD CONSTRAINT "deliveries_workspaceId_eventId_fkey" FOREIGN KEY ("workspaceId", "eventId") REFERENCES events("workspaceId", id);

ALTER TABLE deliveries ADD CONSTRAINT "deliveries_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE delivery_attempts ADD CONSTRAINT "delivery_attempts_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE events ADD CONSTRAINT "events_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE import_files ADD CONSTRAINT "import_files_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE import_files ADD CONSTRAINT "import_files_workspaceId_importId_fkey" FOREIGN KEY ("workspaceId", "importId") REFERENCES imports("workspaceId", id) ON DELETE CASCADE DEFERRABLE;

ALTER TABLE import_issues ADD CONSTRAINT "import_issues_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE import_issues ADD CONSTRAINT "import_issues_workspaceId_importId_fkey" FOREIGN KEY ("workspaceId", "importId") REFERENCES imports("workspaceId", id) ON DELETE CASCADE DEFERRABLE;

ALTER TABLE imported_assignments ADD CONSTRAINT "imported_assignments_cardId_workspaceId_fkey" FOREIGN KEY ("cardId", "workspaceId") REFERENCES cards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE imported_assignments ADD CONSTRAINT "imported_assignments_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE imported_items ADD CONSTRAINT "imported_items_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES boards(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE imported_items ADD CONSTRAINT "imported_items_importId_fkey" FOREIGN KEY ("importId") REFERENCES imports(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE imported_items ADD CONSTRAINT "imported_items_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE imported_people ADD CONSTRAINT "imported_people_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES members(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE imported_people ADD CONSTRAINT "imported_people_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE imports ADD CONSTRAINT "imports_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE imports ADD CONSTRAINT "imports_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE integrations ADD CONSTRAINT "integrations_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE invites ADD CONSTRAINT "invites_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE invites ADD CONSTRAINT "invites_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE invites ADD CONSTRAINT "invites_roleId_workspaceId_fkey" FOREIGN KEY ("roleId", "workspaceId") REFERENCES roles(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE invites ADD CONSTRAINT "invites_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE labels ADD CONSTRAINT "labels_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES boards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE labels ADD CONSTRAINT "labels_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE labels ADD CONSTRAINT "labels_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE lists ADD CONSTRAINT "lists_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES boards(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE lists ADD CONSTRAINT "lists_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE lists ADD CONSTRAINT "lists_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE member_overrides ADD CONSTRAINT "member_overrides_memberId_workspaceId_fkey" FOREIGN KEY ("memberId", "workspaceId") REFERENCES members(id, "workspaceId") ON DELETE CASCADE DEFERRABLE;

ALTER TABLE member_overrides ADD CONSTRAINT "member_overrides_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE members ADD CONSTRAINT "members_invitedById_fkey" FOREIGN KEY ("invitedById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE members ADD CONSTRAINT "members_roleId_workspaceId_fkey" FOREIGN KEY ("roleId", "workspaceId") REFERENCES roles(id, "workspaceId") DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE members ADD CONSTRAINT "members_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE members ADD CONSTRAINT "members_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE notifications ADD CONSTRAINT "notifications_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE notifications ADD CONSTRAINT "notifications_workspaceId_eventId_fkey" FOREIGN KEY ("workspaceId", "eventId") REFERENCES events("workspaceId", id);

ALTER TABLE notifications ADD CONSTRAINT "notifications_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE oauth_states ADD CONSTRAINT "oauth_states_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE password_resets ADD CONSTRAINT "password_resets_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE refresh_tokens ADD CONSTRAINT "refresh_tokens_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE roles ADD CONSTRAINT "roles_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE sessions ADD CONSTRAINT "sessions_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE stream_tickets ADD CONSTRAINT "stream_tickets_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE user_events ADD CONSTRAINT "user_events_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE user_logs ADD CONSTRAINT "user_logs_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE webhooks ADD CONSTRAINT "webhooks_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES boards(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE webhooks ADD CONSTRAINT "webhooks_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE webhooks ADD CONSTRAINT "webhooks_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE workspace_logs ADD CONSTRAINT "workspace_logs_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE workspaces ADD CONSTRAINT "workspaces_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

CREATE TRIGGER boards_search_delete AFTER DELETE ON boards REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('board');

CREATE TRIGGER boards_search_insert AFTER INSERT ON boards FOR EACH ROW EXECUTE FUNCTION search_boards();

CREATE TRIGGER boards_search_update AFTER UPDATE OF name, description, "workspaceId" ON boards FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.description IS DISTINCT FROM new.description OR old."workspaceId" IS DISTINCT FROM new."workspaceId") EXECUTE FUNCTION search_boards();

CREATE CONSTRAINT TRIGGER "card_labels_labelId_board" AFTER INSERT OR UPDATE OF "cardId", "labelId" ON card_labels DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_label_board();

CREATE TRIGGER card_members_open_due_date BEFORE INSERT ON card_members FOR EACH ROW EXECUTE FUNCTION set_open_due_date();

CREATE CONSTRAINT TRIGGER "cards_boardId_labels" AFTER UPDATE OF "boardId" ON cards DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old."boardId" <> new."boardId") EXECUTE FUNCTION check_label_board();

CREATE TRIGGER cards_import_records AFTER UPDATE OF "boardId" ON cards FOR EACH ROW WHEN (old."boardId" <> new."boardId") EXECUTE FUNCTION move_import_records();

CREATE TRIGGER cards_open_due_date AFTER UPDATE OF "dueDate", "archivedAt", "deletedAt" ON cards FOR EACH ROW WHEN (old."dueDate" IS DISTINCT FROM new."dueDate" OR old."archivedAt" IS DISTINCT FROM new."archivedAt" OR old."deletedAt" IS DISTINCT FROM new."deletedAt") EXECUTE FUNCTION change_open_due_dates();

CREATE TRIGGER cards_search_delete AFTER DELETE ON cards REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('card');

CREATE TRIGGER cards_search_insert AFTER INSERT ON cards REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION search_inserted_cards();

CREATE TRIGGER cards_search_update AFTER UPDATE OF title, description, "boardId", "workspaceId" ON cards FOR EACH ROW WHEN (old.title IS DISTINCT FROM new.title OR old.description IS DISTINCT FROM new.description OR old."boardId" IS DISTINCT FROM new."boardId" OR old."workspaceId" IS DISTINCT FROM new."workspaceId") EXECUTE FUNCTION search_updated_card();

CREATE CONSTRAINT TRIGGER "checklist_items_memberId_workspace" AFTER INSERT OR UPDATE OF "memberId", "workspaceId" ON checklist_items DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new."memberId" IS NOT NULL) EXECUTE FUNCTION check_parent_workspace('members', 'memberId');

CREATE TRIGGER comments_search_delete AFTER DELETE ON comments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION search_deleted('comment');

CREATE TRIGGER comments_search_insert AFTER INSERT ON comments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION search_comments();

CREATE TRIGGER comments_search_update AFTER UPDATE OF comment ON comments FOR EACH ROW WHEN (old.comment <> new.comment) EXECUTE FUNCTION search_comments();

CREATE TRIGGER events_clear_references BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION clear_event_references();

CREATE CONSTRAINT TRIGGER "imported_items_boardId_workspace" AFTER INSERT OR UPDATE OF "boardId", "workspaceId" ON imported_items DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new."boardId" IS NOT NULL) EXECUTE FUNCTION check_parent_workspace('boards', 'boardId');

CREATE CONSTRAINT TRIGGER "imported_items_importId_workspace" AFTER INSERT OR UPDATE OF "importId", "workspaceId" ON imported_items DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new."importId" IS NOT NULL) EXECUTE FUNCTION check_parent_workspace('imports', 'importId');

CREATE CONSTRAINT TRIGGER "imported_people_memberId_workspace" AFTER INSERT OR UPDATE OF "memberId", "workspaceId" ON imported_people DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new."memberId" IS NOT NULL) EXECUTE FUNCTION check_parent_workspace('members', 'memberId');

CREATE CONSTRAINT TRIGGER "invites_memberId_workspace" AFTER INSERT OR UPDATE OF "memberId", "workspaceId" ON invites DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new."memberId" IS NOT NULL) EXECUTE FUNCTION check_parent_workspace('members', 'memberId');

CREATE CONSTRAINT TRIGGER "webhooks_boardId_workspace" AFTER INSERT OR UPDATE OF "boardId", "workspaceId" ON webhooks DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new."boardId" IS NOT NULL) EXECUTE FUNCTION check_parent_workspace('boards', 'boardId');

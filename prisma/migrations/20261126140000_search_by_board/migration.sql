-- Search without the character classes of the database's locale, and words by board.

DROP INDEX "search_texts_tokens";
DROP INDEX "search_words_trigrams";
DROP FUNCTION similar_words(bigint, text);
DROP FUNCTION add_search_words(bigint, text);
TRUNCATE "search_texts", "search_words";
ALTER TABLE "search_words" RENAME COLUMN "workspaceId" TO "boardId";
ALTER INDEX "search_words_word_workspaceId_idx" RENAME TO "search_words_word_boardId_idx";

-- A text without case, accents and compatibility forms. The collation "C" keeps it equal in every database.
CREATE FUNCTION search_fold(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
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
END $$;

-- The characters of scripts that are written without spaces, and signs.
CREATE FUNCTION search_run_class() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT
    '['
    '+#$%@=\u00a2-\u00a5\u00a7\u00a9\u00ac\u00ae-\u00b1\u00d7\u00f7\u0e01-\u0e4e\u0e50-\u0e59\u0e81-'
    '\u0f03\u0f13\u0f15-\u0f39\u0f3e-\u0f84\u0f86-\u0fcf\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-'
    '\u17d3\u17d7\u17db-\u17f9\u1950-\u19ff\u1a20-\u1a99\u1b00-\u1b4c\u1b50-\u1b59\u1b61-\u1b7c\u20a0-'
    '\u20cf\u2100-\u2307\u230c-\u2767\u2776-\u27c4\u27c7-\u27e5\u27f0-\u2982\u2999-\u29d7\u29dc-\u29fb'
    '\u29fe-\u2bff\u2e80-\u2fff\u3004-\u3007\u3012-\u3013\u3020-\u302f\u3031-\u303c\u303e-\u309f\u30a1-'
    '\u30fa\u30fc-\ua4cf\ua960-\ua9c0\ua9cf-\ua9d9\ua9e0-\ua9fe\uaa60-\uaadd\uac00-\ud7fb\uf900-'
    '\ufaff\U0001aff0-\U0001b167\U0001d000-\U0001d7ff\U0001f000-\U0001fbff\U00020000-\U0003347f'
    ']' $$;

-- Whether a run is a word. Most are English words or numbers.
CREATE FUNCTION is_word(run text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT run COLLATE "C" >= '0' AND run COLLATE "C" < ':' OR run COLLATE "C" >= 'a' AND run COLLATE "C" < '{'
  OR left(run, 1) COLLATE "C" !~ search_run_class() $$;

-- The words of a folded text, and its runs of characters that are written without spaces, and of signs.
CREATE FUNCTION search_runs(folded text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
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
END $$;

-- What a run is found by: a word by itself, another run by its characters and its pairs of characters.
CREATE FUNCTION search_parts(run text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE chars text[];
BEGIN
  IF is_word(run) THEN RETURN ARRAY[left(run, 200)]; END IF;
  IF length(run) = 1 THEN RETURN ARRAY[run]; END IF;
  chars := string_to_array(run, NULL);
  RETURN array_remove(ARRAY(SELECT unnest(ARRAY[c, c || next]) FROM unnest(chars, chars[2:]) AS pairs(c, next)), NULL);
END $$;

-- The same for a query. The size of a word is 0.
CREATE FUNCTION search_units(run text) RETURNS TABLE (unit text, size integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 2
AS $$ SELECT unit, CASE WHEN is_word(run) THEN 0 ELSE length(unit) END FROM unnest(search_parts(run)) AS unit $$;

-- The words of a text with their places. Of a long text the first 25,000 different ones: a write must not take long,
-- and a tsvector has at most one megabyte.
CREATE FUNCTION search_vector(value text, weight text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
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
END $$;

-- As before, without a query: the words of a text are short, and few enough for one tsvector.
CREATE OR REPLACE FUNCTION search_tokens(type text, scope bigint, title bigint, words tsvector) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000
AS $$
DECLARE
  every text := chr(1) || scope || CASE type WHEN 'board' THEN 'b' WHEN 'card' THEN 'c' ELSE 'o' END;
  named text := chr(1) || scope || CASE type WHEN 'board' THEN 'n' ELSE 't' END;
  whole text := chr(1) || scope || CASE type WHEN 'board' THEN 'x' ELSE 'e' END;
BEGIN
  RETURN array_to_tsvector((string_to_array(concat(
    every || nullif(array_to_string(tsvector_to_array(words), every), ''),
    named || nullif(array_to_string(tsvector_to_array(ts_filter(words, '{a}')), named), ''),
    whole || title), chr(1)))[2:]);
END $$;

CREATE OR REPLACE FUNCTION words_of(name text, body text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT coalesce(search_vector(name, 'A'), '') || coalesce(search_vector(left(body, 100000), ''), '') $$;

CREATE OR REPLACE FUNCTION title_hash(title text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT hashtextextended(search_fold(title), 0) $$;

-- A text whose other letters are ASCII ones, since pg_trgm knows only the letters of the database's locale.
-- Letters of one alphabet stay different.
CREATE FUNCTION search_ascii(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$ BEGIN
  IF octet_length(value) = length(value) THEN RETURN value; END IF;
  RETURN (SELECT string_agg(CASE WHEN octet_length(c) = 1 THEN c
      ELSE substr('abcdefghijklmnopqrstuvwxyz0123456789', ascii(c) % 36 + 1, 1) END, '' ORDER BY nth)
    FROM unnest(string_to_array(value, NULL)) WITH ORDINALITY AS chars(c, nth));
END $$;

-- The words of a name that can be mistyped: a number and a part of a run cannot.
CREATE OR REPLACE FUNCTION words_of_name(name text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 6
AS $$ SELECT DISTINCT left(run, 200) FROM unnest(search_runs(search_fold(name))) AS run
  WHERE ltrim(run, '0123456789') <> '' AND is_word(run) $$;

-- Loads pg_trgm: only a superuser sets a parameter of a module that is not loaded.
SELECT similarity('', '');

-- The words of names on these boards that are like a word, each with its boards, the most similar first.
-- Each board is read apart, so no other board's words cost time.
CREATE FUNCTION similar_words(boards bigint[], query text, OUT word text, OUT "boardIds" bigint[]) RETURNS SETOF record
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.45
AS $$ SELECT w.word, array_agg(board) FROM unnest(boards) AS board
  CROSS JOIN LATERAL (SELECT s.word FROM search_words s
    WHERE s."boardId" = board AND NOT s."isStale" AND search_ascii(query) <% search_ascii(s.word)
      AND (octet_length(s.word) = length(s.word)) = (octet_length(query) = length(query)) OFFSET 0) AS w
  GROUP BY w.word
  ORDER BY word_similarity(search_ascii(query), search_ascii(w.word)) DESC, length(w.word), w.word COLLATE "C" $$;

CREATE FUNCTION add_search_words(board bigint, name text) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN
  INSERT INTO search_words ("boardId", word)
  SELECT board, word FROM words_of_name(name) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."boardId" = board AND s.word = word.word);
END $$;

CREATE OR REPLACE FUNCTION search_boards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
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
END $$;

CREATE OR REPLACE FUNCTION search_inserted_cards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
  SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM new_rows;
  INSERT INTO search_words ("boardId", word)
  SELECT DISTINCT n."boardId", word FROM new_rows n, words_of_name(n.title) AS word
  WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."boardId" = n."boardId" AND s.word = word.word);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION search_updated_card() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
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
END $$;

CREATE OR REPLACE FUNCTION search_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM search_texts s USING old_rows o WHERE s.type = TG_ARGV[0] AND s.id = o.id;
  IF TG_ARGV[0] = 'card' THEN
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT DISTINCT o."boardId", word, true FROM old_rows o, words_of_name(o.title) AS word;
  ELSIF TG_ARGV[0] = 'board' THEN
    INSERT INTO search_words ("boardId", word, "isStale")
    SELECT DISTINCT o.id, word, true FROM old_rows o, words_of_name(o.name) AS word;
  END IF;
  RETURN NULL;
END $$;

-- The rows that exist.
INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
SELECT 'board', id, "workspaceId", title_hash(name), words_of(name, description) FROM boards
UNION ALL SELECT 'card', id, "boardId", title_hash(title), words_of(title, description) FROM cards
UNION ALL SELECT 'comment', co.id, c."boardId", NULL, words_of(NULL, left(co.comment, 20000))
FROM comments co JOIN cards c ON c.id = co."cardId";
INSERT INTO search_words ("boardId", word)
SELECT DISTINCT id, word FROM (
  SELECT id, words_of_name(name) AS word FROM boards
  UNION ALL SELECT "boardId", words_of_name(title) FROM cards) AS named;

CREATE INDEX "search_texts_tokens" ON "search_texts"
  USING gin (search_tokens("type", "scopeId", "titleHash", "words")) WITH (gin_pending_list_limit = 64);
CREATE INDEX "search_words_trigrams" ON "search_words" USING gin ("boardId", search_ascii("word") gin_trgm_ops)
  WITH (gin_pending_list_limit = 64) WHERE NOT "isStale";
ANALYZE "search_texts";
ANALYZE "search_words";

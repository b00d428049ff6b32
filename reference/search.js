/** A text as words: names such as `dueDate` also by their parts. */
const wordsIn = (text) => `${text} ${text.replaceAll(/([a-z])([A-Z])/g, "$1 $2")}`.toLowerCase();

/** Every entry of the page with its text, whether it is rendered or not. */
export function indexOf({ operations, events, schemas, resolve }, guides) {
  const fieldsOf = ({ content = {} } = {}) =>
    Object.keys(resolve(content["application/json"]?.schema)?.properties ?? {});
  const described = [...operations, ...events].map(({ id, hash, method, path = "", operation }) => {
    const parameters = operation.parameters.map((one) => resolve(one).name);
    const names = [...parameters, ...fieldsOf(operation.requestBody)];
    return {
      title: operation.summary,
      kind: method ?? "Event",
      hash,
      head: wordsIn(`${id} ${operation.summary} ${path}`),
      text: wordsIn(`${operation.description} ${names.join(" ")}`),
    };
  });
  const written = guides.flatMap(({ id, title, sections }) =>
    sections.map((section) => ({
      title: section.title === title ? title : `${title}: ${section.title}`,
      kind: "Guide",
      hash: `#/guide/${id}${section.anchor === "" ? "" : `/${section.anchor}`}`,
      head: wordsIn(`${title} ${section.title}`),
      text: wordsIn(section.text),
    })),
  );
  const shapes = Object.entries(schemas).map(([name, schema]) => ({
    title: name,
    kind: "Schema",
    hash: `#/schema/${name}`,
    head: wordsIn(name),
    text: wordsIn(`${schema.description ?? ""} ${Object.keys(schema.properties ?? {}).join(" ")}`),
  }));
  return [...written, ...described, ...shapes];
}

/** The entries with a word that begins with each of the words, those with it in their title first. */
function findWords(index, words) {
  const starts = words.map((word) => {
    const literal = word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
    return new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}`, "u");
  });
  const score = ({ title, head, text }) => {
    if (title.toLowerCase().includes(words.join(" "))) return 3;
    const inHead = starts.filter((start) => start.test(head)).length;
    if (inHead === starts.length) return 2;
    return starts.every((start) => start.test(head) || start.test(text)) ? 1 : 0;
  };
  return index
    .map((entry) => ({ entry, rank: score(entry) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, 60)
    .map(({ entry }) => entry);
}

/** How many letters must be added, removed, replaced or swapped to make one word of another. */
function editsBetween(one, other) {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let nth = 1; nth <= one.length; nth++) {
    const row = [nth];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[nth - 1] === other[at - 1];
      const isSwapped = one[nth - 1] === other[at - 2] && one[nth - 2] === other[at - 1];
      const least = Math.min(
        row[at - 1] + 1,
        rows[nth - 1][at] + 1,
        rows[nth - 1][at - 1] + (isSame ? 0 : 1),
      );
      row.push(isSwapped ? Math.min(least, rows[nth - 2][at - 2] + 1) : least);
    }
    rows.push(row);
  }
  return rows[one.length][other.length];
}

/** The word of the index that a mistyped one most resembles; a word that is there stays. */
function corrected(word, vocabulary) {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  let [best, fewest] = [word, most + 1];
  for (const known of vocabulary) {
    if (known.startsWith(word)) return word;
    if (Math.abs(known.length - word.length) > most) continue;
    const edits = editsBetween(word, known);
    if (edits < fewest) [best, fewest] = [known, edits];
  }
  return best;
}

const vocabularies = new WeakMap();

/** The words of all entries, which are collected at the first mistyped query. */
function vocabularyOf(index) {
  const texts = () => index.map(({ head, text }) => `${head} ${text}`).join(" ");
  if (!vocabularies.has(index)) {
    vocabularies.set(index, new Set(texts().match(/[\p{L}\p{N}]+/gu)));
  }
  return vocabularies.get(index);
}

/** The entries for a query. If there are none, its words are taken as mistyped. */
export function find(index, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = findWords(index, words);
  if (found.length > 0) return found;
  const vocabulary = vocabularyOf(index);
  const correct = (word) =>
    word.replaceAll(/[\p{L}\p{N}]+/gu, (part) => corrected(part, vocabulary));
  return findWords(index, words.map(correct));
}

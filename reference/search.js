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
      head: `${id} ${operation.summary} ${path}`.toLowerCase(),
      text: `${operation.description} ${names.join(" ")}`.toLowerCase(),
    };
  });
  const written = guides.flatMap(({ id, title, sections }) =>
    sections.map((section) => ({
      title: section.title === title ? title : `${title}: ${section.title}`,
      kind: "Guide",
      hash: `#/guide/${id}${section.anchor === "" ? "" : `/${section.anchor}`}`,
      head: `${title} ${section.title}`.toLowerCase(),
      text: section.text.toLowerCase(),
    })),
  );
  const shapes = Object.entries(schemas).map(([name, schema]) => ({
    title: name,
    kind: "Schema",
    hash: `#/schema/${name}`,
    head: name.toLowerCase(),
    text: `${schema.description ?? ""} ${Object.keys(schema.properties ?? {}).join(" ")}`.toLowerCase(),
  }));
  return [...written, ...described, ...shapes];
}

/** The entries that contain every word, those with the words in their title first. */
export function find(index, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const score = ({ head, text }) => {
    if (words.every((word) => head.includes(word))) return 2;
    return words.every((word) => head.includes(word) || text.includes(word)) ? 1 : 0;
  };
  return index
    .map((entry) => ({ entry, rank: score(entry) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, 60)
    .map(({ entry }) => entry);
}

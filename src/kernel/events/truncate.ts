/** The maximum size of an event, in bytes of JSON. */
export const eventBytes = 20_000;
const longestText = 2_000;
const maxItems = 100;
// Longer than any id or timestamp: they are never shortened.
const shortestText = 64;
const rounds = 7;

type Fields = Record<string, unknown>;
type Content = { data: Fields; changes: Fields | null };

/** Shortens texts and lists until an event is small enough; `data.shortened` names them. */
export function truncateEvent(content: Content): Content {
  let small = content;
  for (let round = 0; round < rounds && tooLarge(small); round++) {
    small = shorten(content, Math.max(shortestText, longestText >> round), maxItems >> round);
  }
  return small;
}

const tooLarge = (content: Content) => Buffer.byteLength(JSON.stringify(content)) > eventBytes;

function shorten({ data, changes }: Content, text: number, items: number): Content {
  const shortened: string[] = [];
  const fields = (of: object, path: string): Fields =>
    Object.fromEntries(
      Object.entries(of).map(([key, value]): [string, unknown] => [
        key,
        walk(value, `${path}.${key}`),
      ]),
    );
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value === "string" && value.length > text) {
      shortened.push(path);
      return `${value.slice(0, text).replace(/[\ud800-\udbff]$/, "")}…`;
    }
    if (Array.isArray(value)) {
      if (value.length > items) shortened.push(path);
      return value.slice(0, items).map((item, index) => walk(item, `${path}.${index}`));
    }
    return typeof value === "object" && value !== null ? fields(value, path) : value;
  };
  const small = { data: fields(data, "data"), changes: changes && fields(changes, "changes") };
  return { ...small, data: { ...small.data, shortened } };
}

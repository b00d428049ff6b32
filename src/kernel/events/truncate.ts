/** The most that one event may tell, in bytes of JSON. */
const eventBytes = 20_000;
const longestText = 2_000;
const mostItems = 100;
// No id and no moment is longer, so that neither is ever cut.
const shortestText = 64;
const rounds = 7;

type Fields = Record<string, unknown>;
type Told = { data: Fields; changes: Fields | null };

/** What an event tells, small enough: while it is not, its texts and lists are cut shorter and shorter. `data.shortened` says which. */
export function truncateEvent(told: Told): Told {
  let small = told;
  for (let round = 0; round < rounds && tooLarge(small); round++) {
    small = shorten(told, Math.max(shortestText, longestText >> round), mostItems >> round);
  }
  return small;
}

const tooLarge = (told: Told) => Buffer.byteLength(JSON.stringify(told)) > eventBytes;

function shorten({ data, changes }: Told, text: number, items: number): Told {
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
      return value.slice(0, items).map((item, place) => walk(item, `${path}.${place}`));
    }
    return typeof value === "object" && value !== null ? fields(value, path) : value;
  };
  const small = { data: fields(data, "data"), changes: changes && fields(changes, "changes") };
  return { ...small, data: { ...small.data, shortened } };
}

import { createHmac } from "node:crypto";

/** What an id of the document is here: the same whenever it is asked for, and nobody can tell it who does not know the seed. */
export type Ids = (old: string) => string;

const letters = 12;
const range = 36n ** BigInt(letters);

/** The ids of one import. */
export const idsFrom =
  (seed: string): Ids =>
  (old) => {
    const digest = createHmac("sha256", seed).update(old).digest();
    return (digest.readBigUInt64BE() % range).toString(36).padStart(letters, "0");
  };

const mention = /(\]\()([0-9a-z]{12})(?=\))/g;
const place = /^.*?(\/api\/v1\/attachments\/)([0-9a-z]{12})(?=\/content$)/;

/** A text in which members are mentioned as they are known here. */
export const mentioning = (text: string, isMember: (old: string) => boolean, ids: Ids): string =>
  text.replace(mention, (whole, before: string, id: string) =>
    isMember(id) ? before + ids(id) : whole,
  );

/** What an event told, with the ids that things have here; `baseUrl` is where files are. */
export function retold(
  value: unknown,
  isMember: (old: string) => boolean,
  ids: Ids,
  baseUrl: string,
): unknown {
  const walk = (one: unknown, isId: boolean): unknown => {
    if (typeof one === "string") {
      if (isId) return ids(one);
      return mentioning(one, isMember, ids).replace(
        place,
        (_, path: string, id: string) => baseUrl + path + ids(id),
      );
    }
    if (Array.isArray(one)) return one.map((item) => walk(item, isId));
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, field]) => [
        key,
        walk(field, /^publicId$|PublicIds?$/.test(key) || (isId && /^(?:from|to)$/.test(key))),
      ]),
    );
  };
  return walk(value, false);
}

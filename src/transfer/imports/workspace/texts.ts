import type { DeriveId } from "./derived.ts";

/** How ids within texts of a document become ours. */
export type Renaming = {
  idOf: DeriveId;
  /** Whether an id is a member of the document. */
  isMember: (id: string) => boolean;
  /** The address of this service, for links to attachments. */
  baseUrl: string;
};

const mention = /(\]\()([0-9a-z]{12})(?=\))/g;
const attachmentUrl = /^.*?(\/api\/v1\/attachments\/)([0-9a-z]{12})(?=\/content$)/;

/** A text with the mentioned members under their ids here. */
export const withMentions = (text: string, { idOf, isMember }: Renaming): string =>
  text.replace(mention, (match, before: string, id: string) =>
    isMember(id) ? before + idOf(id) : match,
  );

const isIdField = (key: string) => /^publicId$|PublicIds?$/.test(key);

/** The fields of an event with the ids that its resources have here. */
export const withOurIds = (fields: Record<string, unknown>, renaming: Renaming, isId = false) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      // `changes` of a field with an id holds ids in `from` and `to`.
      const holdsId = isIdField(key) || (isId && (key === "from" || key === "to"));
      return [key, renamed(field, renaming, holdsId)];
    }),
  );

function renamed(value: unknown, renaming: Renaming, isId: boolean): unknown {
  if (typeof value === "string") {
    if (isId) return renaming.idOf(value);
    return withMentions(value, renaming).replace(
      attachmentUrl,
      (_, path: string, id: string) => renaming.baseUrl + path + renaming.idOf(id),
    );
  }
  if (Array.isArray(value)) return value.map((item) => renamed(item, renaming, isId));
  if (typeof value !== "object" || value === null) return value;
  return withOurIds({ ...value }, renaming, isId);
}

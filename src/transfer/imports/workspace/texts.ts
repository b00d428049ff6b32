import type { DeriveId } from "./derived.ts";

/** How ids within texts of a document become ours. */
export type IdMapping = {
  idOf: DeriveId;
  /** Whether an id is a member of the document. */
  isMember: (id: string) => boolean;
  /** Whether a value of a custom field is the id of a member or an option. */
  isNamed: (id: string) => boolean;
  /** The address of this service, for links to attachments. */
  baseUrl: string;
};

const mention = /(\]\()([0-9a-z]{12})(?=\))/g;
const attachmentUrl = /^.*?(\/api\/v1\/attachments\/)([0-9a-z]{12})(?=\/content$)/;

/** A text with the mentioned members under their ids here. */
export const withMentions = (text: string, { idOf, isMember }: IdMapping): string =>
  text.replace(mention, (match, before: string, id: string) =>
    isMember(id) ? before + idOf(id) : match,
  );

const isIdField = (key: string) => /^publicId$|PublicIds?$/.test(key);

/** The fields of an event with the ids that its resources have here. */
export const withOurIds = (fields: Record<string, unknown>, renaming: IdMapping, isId = false) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      if (key.startsWith(changedField)) {
        const id = key.slice(changedField.length);
        return [changedField + renaming.idOf(id), renamedValue(field, renaming)];
      }
      if (key === "fields" && isRecord(field)) return [key, renamedValues(field, renaming)];
      if (key === "relatedCards" && isRecord(field)) return [key, renamedCards(field, renaming)];
      // `changes` of a field with an id holds ids in `from` and `to`.
      const holdsId = isIdField(key) || (isId && (key === "from" || key === "to"));
      return [key, renamed(field, renaming, holdsId)];
    }),
  );

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The start of the name of a custom field in `changes`. */
const changedField = "fields.";

/** The ids of the cards that a card is related to, by what they are to it. */
const renamedCards = (related: object, renaming: IdMapping) =>
  Object.fromEntries(
    Object.entries(related).map(([kind, ids]) => [kind, renamed(ids, renaming, true)]),
  );

/** Values by the ids of their fields. */
const renamedValues = (values: object, renaming: IdMapping) =>
  Object.fromEntries(
    Object.entries(values).map(([id, value]) => [renaming.idOf(id), renamedValue(value, renaming)]),
  );

/** The value of a field, or its change. */
function renamedValue(value: unknown, renaming: IdMapping): unknown {
  if (typeof value === "string") return renaming.isNamed(value) ? renaming.idOf(value) : value;
  if (Array.isArray(value)) return value.map((item) => renamedValue(item, renaming));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, renamedValue(entry, renaming)]),
  );
}

function renamed(value: unknown, renaming: IdMapping, isId: boolean): unknown {
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

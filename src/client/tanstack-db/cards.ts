import { newPublicId } from "../public-id.ts";
import { editable, newCard } from "../store/new-rows.ts";
import type { Editable } from "../store/types.ts";
import type { CardView, Store } from "../store/index.ts";
import { boardCollection, checkFields, type BoardCollectionConfig } from "./collection.ts";

/** A card with its list; `index` is its position there. */
export type CardRow = CardView & {
  /** The public id of its list. */
  listPublicId: string;
  /** The position in the list, from 0. */
  index: number;
};

/** The fields of a row to insert. */
export type NewCardRow = Pick<CardRow, "listPublicId" | "title"> &
  Partial<
    Pick<
      CardRow,
      Exclude<Editable, "isComplete"> | "publicId" | "index" | "labels" | "members" | "fields"
    >
  >;

/** A row to insert: a card with these fields, by default at the top of its list. */
export const newCardRow = ({ publicId = newPublicId(), ...fields }: NewCardRow): CardRow => ({
  ...newCard(publicId),
  index: 0,
  ...fields,
});

const changeable = [...editable, "listPublicId", "index", "labels", "members", "fields"];

/** The values that differ from others, as a change sets them. */
function changedValues(now: CardRow["fields"], before: CardRow["fields"]) {
  const ids = Object.keys({ ...before, ...now });
  const differ = ids.filter((id) => JSON.stringify(now[id]) !== JSON.stringify(before[id]));
  return Object.fromEntries(differ.map((id) => [id, now[id] ?? null]));
}

const picked = (row: CardRow, names: Editable[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

/** The options of a collection of the cards of a board. */
export const cardCollectionOptions = (
  store: Store,
  boardPublicId: string,
): BoardCollectionConfig<CardRow> =>
  boardCollection<CardRow>(store, boardPublicId, {
    name: "cards",
    rowsOf: ({ lists }) =>
      lists.flatMap(({ publicId: listPublicId, cards }) =>
        cards.map((card, index) => ({ ...card, listPublicId, index })),
      ),
    insert({ cards }, row) {
      const { publicId, listPublicId: list, title, index, members, fields } = row;
      const labels = row.labels.map((label) => label.publicId);
      const { isComplete: _, ...cardFields } = picked(row, editable);
      cards.create({ ...cardFields, publicId, list, title, index, labels, members, fields });
    },
    update({ cards }, row, changes, original) {
      checkFields(changes, changeable);
      const { publicId } = row;
      const { listPublicId: list, index, labels, members } = changes;
      const changedNames = editable.filter((name) => name in changes);
      const values = changedValues(row.fields, original.fields);
      const fields = Object.keys(values).length === 0 ? {} : { fields: values };
      const set = { ...picked(row, changedNames), ...fields };
      if (Object.keys(set).length > 0) cards.update(publicId, set);
      if (labels !== undefined) {
        cards.setLabels(
          publicId,
          row.labels.map((label) => label.publicId),
        );
      }
      if (members !== undefined) cards.setMembers(publicId, row.members);
      if ((list ?? index) === undefined) return;
      cards.move(publicId, {
        ...(list === undefined ? {} : { list }),
        ...(index === undefined ? {} : { index }),
      });
    },
    delete: ({ cards }, publicId) => void cards.delete(publicId),
  });

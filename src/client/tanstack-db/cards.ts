import { newPublicId } from "../public-id.ts";
import { newCard } from "../store/new-card.ts";
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
  Partial<Pick<CardRow, "publicId" | "index" | "dueDate" | "startDate" | "labels" | "members">>;

/** A row to insert: a card with these fields, by default at the top of its list. */
export const newCardRow = ({ publicId = newPublicId(), ...fields }: NewCardRow): CardRow => ({
  ...newCard(publicId),
  index: 0,
  ...fields,
});

const content = ["title", "dueDate", "startDate", "isComplete"] as const;
const fields = [...content, "listPublicId", "index", "labels", "members"];

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
    insert({ cards }, { publicId, listPublicId: list, title, index, dueDate, startDate, ...row }) {
      const labels = row.labels.map((label) => label.publicId);
      const { members } = row;
      cards.create({ publicId, list, title, index, dueDate, startDate, labels, members });
    },
    update({ cards }, row, changes) {
      checkFields(changes, fields);
      const { publicId } = row;
      const { listPublicId: list, index, labels, members } = changes;
      const changed = content.filter((name) => name in changes);
      if (changed.length > 0) {
        cards.update(publicId, Object.fromEntries(changed.map((name) => [name, row[name]])));
      }
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

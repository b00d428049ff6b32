import type { ListView, Store } from "../store/index.ts";
import { boardCollection, checkFields, type BoardCollectionConfig } from "./collection.ts";

/** A list without its cards; `index` is its position on the board. */
export type ListRow = Pick<ListView, "publicId" | "name" | "wipLimit" | "wipMode" | "cardCount"> & {
  /** The position on the board, from 0. */
  index: number;
};

/** The options of a collection of the lists of a board. */
export const listCollectionOptions = (
  store: Store,
  boardPublicId: string,
): BoardCollectionConfig<ListRow> =>
  boardCollection<ListRow>(store, boardPublicId, {
    name: "lists",
    rowsOf: ({ lists }) =>
      lists.map(({ publicId, name, wipLimit, wipMode, cardCount }, index) => ({
        publicId,
        name,
        wipLimit,
        wipMode,
        cardCount,
        index,
      })),
    insert({ lists }, { publicId, name, index, wipLimit, wipMode }) {
      lists.create({ publicId, name, index });
      if (wipLimit !== null) lists.update(publicId, { wipLimit, wipMode });
    },
    update({ lists }, { publicId }, changes) {
      checkFields(changes, ["name", "wipLimit", "wipMode", "index"]);
      const { index, ...rest } = changes;
      if (Object.keys(rest).length > 0) lists.update(publicId, rest);
      if (index !== undefined) lists.move(publicId, { index });
    },
    delete: ({ lists }, publicId) => void lists.delete(publicId),
  });

import type { LabelView, Store } from "../store/index.ts";
import { boardCollection, checkFields, type BoardCollectionConfig } from "./collection.ts";

/** A label of a board. */
export type LabelRow = LabelView;

/** The options of a collection of the labels of a board. */
export const labelCollectionOptions = (
  store: Store,
  boardPublicId: string,
): BoardCollectionConfig<LabelRow> =>
  boardCollection<LabelRow>(store, boardPublicId, {
    name: "labels",
    rowsOf: ({ labels }) => labels,
    insert: ({ labels }, { publicId, name, colourCode }) =>
      void labels.create({ publicId, name, ...(colourCode === null ? {} : { colourCode }) }),
    update({ labels }, { publicId, name, colourCode }, changes) {
      checkFields(changes, ["name", "colourCode"]);
      labels.update(publicId, { name, ...(colourCode === null ? {} : { colourCode }) });
    },
    delete: ({ labels }, publicId) => void labels.delete(publicId),
  });

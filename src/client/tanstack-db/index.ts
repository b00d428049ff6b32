export { cardCollectionOptions, newCardRow, type CardRow } from "./cards.ts";
export { labelCollectionOptions, type LabelRow } from "./labels.ts";
export { listCollectionOptions, type ListRow } from "./lists.ts";

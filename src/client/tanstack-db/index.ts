export { cardCollectionOptions, newCardRow, type CardRow, type NewCardRow } from "./cards.ts";
export { labelCollectionOptions, type LabelRow } from "./labels.ts";
export { listCollectionOptions, type ListRow } from "./lists.ts";

export { StoreProvider, useStore } from "./provider.ts";
export { useBoard, useBoardValue, type BoardHook, type BoardOptions } from "./board.ts";
export { useBoards } from "./boards.ts";
export { useCard } from "./card.ts";
export { useConnection, useMutationStatus, type MutationStatus } from "./status.ts";
export type { CardFilter } from "./filter.ts";

export { StoreProvider, useStore } from "./provider.ts";
export { useBoard, useBoardValue, type BoardHook, type BoardOptions } from "./board.ts";
export { useBoards, type BoardsHook } from "./boards.ts";
export { useFilteredCards, type FilteredCardsHook } from "./filtered-cards.ts";
export { useCard, type CardHook } from "./card.ts";
export { SessionProvider, useSession, type SessionHook } from "./session.ts";
export {
  useActivity,
  useMembers,
  useNotifications,
  useSearch,
  useViewCards,
  useViewGroups,
  useViews,
  useWorkspaces,
  type LiveHook,
  type PagesHook,
} from "./live.ts";
export { useConnection, useMutationStatus, type MutationStatus } from "./status.ts";

export { createStore } from "./core.ts";
export {
  checkFilter,
  filterBoard,
  filterCards,
  type Filter,
  type FilterOptions,
  type FilteredCard,
  type SortBy,
} from "./filter.ts";
export { groupFields } from "./groupings.ts";
export { formatField, type FormatOptions } from "./format-field.ts";
export { indexedDbPersistence, memoryPersistence } from "./persistence.ts";
export type { BoardStore } from "./board.ts";
export type { CardStore } from "./card.ts";
export type { FieldChanges, NewField, NewLabel, NewList } from "./board-actions.ts";
export type {
  CardChanges,
  CardPosition,
  MemberChoice,
  NewCard,
  OverrideOption,
  Position,
} from "./card-actions.ts";
export type { ItemChanges } from "./detail-actions.ts";
export type { StoreOptions } from "./options.ts";
export {
  createSession,
  type SessionOptions,
  type SessionState,
  type UserSession,
} from "./session.ts";
export type { Subscriptions as Lives } from "./subscriptions.ts";
export type { NewBoard, Store } from "./store.ts";
export type { NewView, ViewActions, ViewChanges } from "./view-actions.ts";
export type {
  BoardState,
  BoardView,
  BoardsState,
  CardDetail,
  CardState,
  CardView,
  Comment,
  Connection,
  EventOf,
  Failure,
  FieldView,
  LabelView,
  ListView,
  LiveData,
  LiveState,
  LiveStore,
  MemberView,
  Mutation,
  Mutations,
  OfWorkspace,
  Persistence,
  Stop,
} from "./types.ts";
export type { Write } from "./writes.ts";

import type { BoardServiceError, Issue } from "../errors.ts";
import type { WithTexts } from "../card-shapes.ts";
import type { FollowedEvent } from "../events.ts";
import type { Board, Card, EventType, Inputs, Outputs } from "../router.ts";

/** A board as `board.get` shows it, with the changes that are not confirmed yet. */
export interface BoardView extends Omit<Board, "cursor"> {}
/** A board, and the order of the log up to which it has all events. */
export type SavedBoard = { board: BoardView; order: string };
/** A list of a board. */
export type ListView = BoardView["lists"][number];
/** A card of a board. */
export type CardView = ListView["cards"][number];
/** A field of a card that boards show, and that a change of the card can set. */
export type Editable = Exclude<
  keyof CardView & keyof Inputs["card"]["update"],
  "index" | "isArchived" | "fields"
>;

/** A label of a board. */
export type LabelView = BoardView["labels"][number];
/** A custom field of a board. */
export type FieldView = BoardView["fields"][number];
/** A member that a card shows. */
export type MemberView = CardView["members"][number];
/** A comment of a card. */
export type Comment = Outputs["comment"]["list"]["items"][number];
/** A card with all its relations and its comments. */
export type CardDetail = Card & {
  /** The comments, oldest first. */
  comments: readonly Comment[];
};

/** A card in an event. */
export type EventCard = CardView & WithTexts;
/** An event of a type, with its data. */
export type EventOf<Type extends EventType> = Extract<FollowedEvent, { type: Type }>;

/** A change as it is stored until the service has answered it. */
export type Entry = {
  /** The `Idempotency-Key`. */
  id: string;
  /** The order of the changes: a string that sorts. */
  seq: string;
  boardPublicId: string;
  /** The resource that it changes or creates. */
  publicId: string;
  /** The card of it, for comments and checklists too. */
  cardPublicId?: string;
  /** Such as `card.update`. */
  operation: string;
  input: Input;
  ifVersion?: number;
  /** A card that moves to another board, as that board shows it. */
  card?: CardView;
  /** The members that it names, as cards show them. */
  members?: readonly MemberView[];
  /** Why the service refused it. */
  error?: FailureReason;
};

/** The input of an operation. */
export type Input = Readonly<Record<string, unknown>>;

/** Why the service refused a change. */
export type FailureReason = {
  status: number;
  code: string;
  message: string;
  issues: readonly Issue[];
};

/** A change that is not confirmed yet. */
export type Mutation = {
  /** The `Idempotency-Key`, and the `mutationId` of its events. */
  readonly id: string;
  /** The public id of the board. */
  readonly boardPublicId: string;
  /** The public id of the resource that it changes or creates. */
  readonly publicId: string;
  /** The public id of the card, for comments and checklists too. */
  readonly cardPublicId?: string;
  /** The name of the operation, such as `card.update`. */
  readonly operation: string;
  /** The input of the operation. */
  readonly input: Input;
  /** Not sent, being sent, or accepted while its event has not arrived. */
  readonly state: "waiting" | "sending" | "sent";
};

/** A change that the service refused. It was rolled back. */
export type Failure = Omit<Mutation, "state"> & {
  /** Why the service refused it. */
  readonly error: FailureReason;
};

/** The changes that are not confirmed yet, in order, and those that failed. */
export type Mutations = {
  /** The changes that are not confirmed yet. */
  pending: readonly Mutation[];
  /** The changes that the service has refused. */
  failed: readonly Failure[];
};

/** The state of a board. `denied`: it cannot be seen, and nothing of it is stored. */
export type BoardState =
  | { readonly status: "loading"; readonly board: undefined; readonly error: undefined }
  | { readonly status: "ready"; readonly board: BoardView; readonly error: undefined }
  | { readonly status: "denied"; readonly board: undefined; readonly error: BoardServiceError };

/** The state of a card. `denied`: it cannot be seen. */
export type CardState =
  | { readonly status: "loading"; readonly card: undefined; readonly error: undefined }
  | { readonly status: "ready"; readonly card: CardDetail; readonly error: undefined }
  | { readonly status: "denied"; readonly card: undefined; readonly error: BoardServiceError };

/** The boards of a workspace by name. `denied`: it cannot be seen. */
export type BoardsState = { readonly boards: readonly BoardView[] } & (
  | { readonly status: "loading"; readonly error: undefined }
  | { readonly status: "ready"; readonly error: undefined }
  | { readonly status: "denied"; readonly error: BoardServiceError }
);

/** The state of data other than boards. `denied`: it cannot be seen. */
export type LiveState<Data> =
  | { readonly status: "loading"; readonly data: undefined; readonly error: undefined }
  | { readonly status: "ready"; readonly data: Data; readonly error: undefined }
  | { readonly status: "denied"; readonly data: undefined; readonly error: BoardServiceError };

/** Data other than boards that follows the service. */
export type LiveStore<Data> = {
  /** The state now: the same object until it changes. */
  readonly get: () => LiveState<Data>;
  /** Loads the data, and follows it until the returned function is called. */
  readonly subscribe: (listener: () => void) => Stop;
  /** Resolves with the data as it is now, or offline as it is stored. Rejects when it cannot be seen. */
  readonly ready: () => Promise<Data>;
  /** Reads the data again. */
  readonly reload: () => Promise<void>;
  /** Of a listing: reads one more page. */
  readonly more: () => Promise<void>;
};

type Pages<Listing> = Listing extends { items: (infer Item)[] }
  ? { items: Item[]; hasMore: boolean }
  : never;

/** A resource of a workspace, such as a view. */
export type OfWorkspace = {
  /** Its public id. */
  publicId: string;
  /** The public id of its workspace. */
  workspacePublicId: string;
};

/** Who uses a store in a workspace: whom `me` means, and whose days. */
export type Asker = {
  /** Public id of the user as a member of the workspace. */
  me: string;
  /** The time zone of the user, or else of the workspace, or else UTC. */
  timeZone: string;
  /** The first day of weeks, that of the workspace: 0 is Sunday. */
  weekStartDay: number;
};

/** The data of a store other than boards. */
export type LiveData = {
  /** The user. */
  user: Outputs["user"]["me"];
  /** The workspaces of the user, by name. */
  workspaces: Outputs["workspace"]["list"];
  /** The members of a workspace, without removed ones. */
  members: Outputs["member"]["list"]["items"];
  /** The notifications of the user, newest first. */
  notifications: Pages<Outputs["user"]["notifications"]>;
  /** What has happened on a board, newest first. */
  activity: Pages<Outputs["board"]["activity"]>;
  /** The views of a workspace that the user sees, by name. */
  views: Outputs["view"]["list"];
  /** The cards of a view. */
  viewCards: Pages<Outputs["view"]["cards"]>;
  /** How many cards each group of a view has. */
  viewGroups: Outputs["view"]["groups"];
  /** Who uses the store in a workspace. */
  asker: Asker;
  /** What a search has found. */
  search: Pages<Outputs["workspace"]["search"]>;
};

/** The state of the connection. `denied`: the session has ended. */
export type Connection = "connecting" | "online" | "reconnecting" | "offline" | "denied";

/** Ends a subscription. */
export type Stop = () => void;

/** Where changes and copies of boards are stored: values that can be cloned, by keys that sort. */
export type Persistence = {
  /** The entries whose key starts with a prefix, sorted by key. */
  entries(prefix: string): Promise<[key: string, value: unknown][]>;
  /** Stores a value. */
  set(key: string, value: unknown): Promise<void>;
  /** Removes a value. */
  delete(key: string): Promise<void>;
};

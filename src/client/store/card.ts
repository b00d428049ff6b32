import type { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import { paginate } from "../pages.ts";
import { isDenied } from "./failures.ts";
import { boardFeed, type LiveEvent, type LiveQuery } from "./live.ts";
import type { Caller } from "./new-rows.ts";
import { createdCard, withCardChanges } from "./optimistic.ts";
import { applyCardEvent } from "./reducer.ts";
import { findCard } from "./rows.ts";
import { cardKey } from "./saved-boards.ts";
import type { BoardEvent } from "../router.ts";
import type {
  BoardView,
  CardDetail,
  CardState,
  Comment,
  LiveState,
  LiveStore,
  Stop,
} from "./types.ts";

/** A card with its description, checklists, attachments and comments. */
export type CardStore = {
  /** The public id of the card. */
  readonly publicId: string;
  /** The state now: the same object until it changes. */
  readonly get: () => CardState;
  /** Loads the card, and follows it until the returned function is called. */
  readonly subscribe: (listener: () => void) => Stop;
  /** Resolves with the card as it is now, or offline as it is stored. Rejects when it cannot be seen. */
  readonly ready: () => Promise<CardDetail>;
  /** Loads the card again: after an upload, or a call of the client. */
  readonly reload: () => Promise<void>;
};

/** Reads a card with its comments. A caller without comment:view reads it without them. */
async function readCard(client: Client, cardPublicId: string): Promise<CardDetail> {
  const comments: Comment[] = [];
  const readComments = async () => {
    for await (const comment of paginate(client.comment.list, { cardPublicId, limit: 100 })) {
      comments.push(comment);
    }
  };
  const [card] = await Promise.all([
    client.card.get({ cardPublicId }),
    readComments().catch((error: BoardServiceError) => {
      if (!isDenied(error)) throw error;
    }),
  ]);
  return { ...card, comments };
}

/** What a card needs of its store. */
export type CardHost = {
  /** The author of new comments. */
  user: () => Caller | undefined;
  view: (boardPublicId: string) => BoardView | undefined;
};

/** Whether an event of a workspace is about a card. */
const isAbout = (event: LiveEvent, cardPublicId: string): boolean => {
  const { card } = ("data" in event ? event.data : {}) as { card?: { publicId: string } };
  return "boardPublicId" in event && card?.publicId === cardPublicId;
};

/** A card of a board, whose events it follows. */
export const cardQuery = (publicId: string, { user, view }: CardHost): LiveQuery<CardDetail> => ({
  key: cardKey(publicId),
  feeds: [],
  feedOf: ({ boardPublicId }) => boardFeed(boardPublicId),
  read: (client) => readCard(client, publicId),
  isShownBy: (event) => isAbout(event, publicId),
  apply(card, event) {
    if (isAbout(event, publicId)) return applyCardEvent(card, event as BoardEvent, user()?.name);
    const isOnBoard = "boardPublicId" in event && event.boardPublicId === card.boardPublicId;
    // Values of the card may show no longer, or again. What names a member ends with the membership.
    const isRead = isOnBoard && /^field\.(?!created)/.test(event.type);
    return isRead || event.type === "member.removed" ? "read" : card;
  },
  isChangedBy: ({ cardPublicId }) => cardPublicId === publicId,
  optimistic(base, changes) {
    const board = view(base.boardPublicId);
    const card = withCardChanges(base, changes, { board, user: user() });
    // Labels, members and the index change with others too: the board has their events.
    const { index, claim, labels, members } = (board && findCard(board, publicId)?.card) ?? card;
    return { ...card, index, claim, labels, members };
  },
  created(changes) {
    const change = changes.find(
      (pending) => pending.operation === "card.create" && pending.publicId === publicId,
    );
    if (change === undefined) return undefined;
    const { boardPublicId, state } = change;
    const board = view(boardPublicId);
    const data = board && createdCard(board, change);
    return { feed: boardFeed(boardPublicId), data, isSent: state === "sent" };
  },
});

/** The card of a board as applications see it. */
export function cardStore(publicId: string, live: LiveStore<CardDetail>): CardStore {
  const { subscribe, ready, reload } = live;
  let last = live.get();
  let state = stateOf(last);
  const get = () => {
    const next = live.get();
    if (next !== last) [last, state] = [next, stateOf(next)];
    return state;
  };
  return { publicId, get, subscribe, ready, reload };
}

const stateOf = ({ data: card, ...state }: LiveState<CardDetail>) =>
  ({ ...state, card }) as CardState;

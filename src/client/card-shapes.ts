import type { Board, Card, Outputs } from "./router.ts";

type CardView = Board["lists"][number]["cards"][number];
type Comment = Outputs["comment"]["list"]["items"][number];

/** What boards show of a card, as a new one has it; a card alone shows it in full. */
export const newOnBoards: Readonly<Pick<CardView, Exclude<keyof CardView, keyof Card>>> = {
  hasDescription: false,
  checklistItems: { total: 0, completed: 0 },
  openBlockers: 0,
  children: { total: 0, completed: 0 },
  relatedCards: { parent: null, children: [], blocks: [], blockedBy: [] },
};

/** What events and snapshots say of a card, and boards do not show. */
export const notOnBoards = ["description", "listPublicId", "createdAt", "updatedAt"] as const;

/** A card with what boards do not show of it. */
export type WithTexts = Pick<Card, (typeof notOnBoards)[number]>;

/** A card with all its parts. */
export type CardWithComments = Card & { comments: Comment[] };

type Places = Pick<Card, "boardPublicId" | "workspacePublicId">;

/** A card that a board shows as it shows alone, without what is on it. */
export function aloneWith(card: CardView, own: WithTexts & Places): CardWithComments {
  const shared = Object.entries(card).filter(([name]) => !Object.hasOwn(newOnBoards, name));
  return {
    ...(Object.fromEntries(shared) as Pick<CardView, keyof CardView & keyof Card>),
    ...own,
    checklists: [],
    relations: [],
    attachments: [],
    isWatching: false,
    comments: [],
  };
}

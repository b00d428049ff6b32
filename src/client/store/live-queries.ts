import { paginate, type Page } from "../pages.ts";
import { boardFeed, userFeed, type LiveEvent, type LiveQuery } from "./live.ts";
import { withRowChanges } from "./optimistic.ts";
import type { BoardView, LiveData, OfWorkspace } from "./types.ts";

/** Whether an event is about one of these resources. */
const isAbout = ({ type }: LiveEvent, ...resources: string[]) =>
  resources.includes(type.replace(/\..*/, ""));

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The first pages of a listing. */
async function pagesOf<Input, Item, Found extends Page<Item>>(
  list: (input: Input) => Promise<Found>,
  input: Input & object,
  count: number,
): Promise<{ items: Item[]; hasMore: boolean }> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let nth = 0; nth < count; nth++) {
    const page: Found = await list(cursor === null ? input : { ...input, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return { items, hasMore: cursor !== null };
}

export const user: LiveQuery<LiveData["user"]> = {
  key: "user",
  feeds: [],
  read: (client) => client.user.me(),
  apply: (data) => data,
};

export const workspaces: LiveQuery<LiveData["workspaces"]> = {
  key: "workspaces",
  feeds: [userFeed],
  read: (client) => client.workspace.list(),
  apply: (data, event) => (isAbout(event, "workspace", "invitation") ? "read" : data),
};

export const members = (workspacePublicId: string): LiveQuery<LiveData["members"]> => ({
  key: `members/${workspacePublicId}`,
  feeds: [workspacePublicId],
  read: (client) => allOf(paginate(client.member.list, { workspacePublicId, limit: 100 })),
  // Events do not have the addresses of members.
  apply: (data, event) => (isAbout(event, "member", "role") ? "read" : data),
});

export const notifications: LiveQuery<LiveData["notifications"]> = {
  key: "notifications",
  feeds: [userFeed],
  read: (client, pages) => pagesOf(client.user.notifications, {}, pages),
  apply(data, event) {
    const set = (items: LiveData["notifications"]["items"]) => ({ ...data, items });
    if (event.type === "notification.created") {
      const { notification } = event.data;
      const { publicId } = notification;
      return set([notification, ...data.items.filter((item) => item.publicId !== publicId)]);
    }
    if (event.type === "notification.read") {
      const { notificationPublicId, isRead } = event.data;
      const readAt = isRead ? event.timestamp : null;
      return set(
        data.items.map((item) =>
          item.publicId === notificationPublicId ? { ...item, isRead, readAt } : item,
        ),
      );
    }
    return event.type === "notification.all_read" ? "read" : data;
  },
};

export const activity = (boardPublicId: string): LiveQuery<LiveData["activity"]> => ({
  key: `activity/${boardPublicId}`,
  feeds: [boardFeed(boardPublicId)],
  read: (client, pages) => pagesOf(client.board.activity, { boardPublicId }, pages),
  apply: (data, event) =>
    "boardPublicId" in event && event.boardPublicId === boardPublicId ? "read" : data,
});

/**
 * The resources that, besides views, decide which cards these show, and whether they are broken.
 */
const viewed = ["view", "private_view", "access", "board", "list", "label", "field", "member"];

export const views = (workspacePublicId: string): LiveQuery<LiveData["views"]> => ({
  key: `views/${workspacePublicId}`,
  feeds: [workspacePublicId, userFeed],
  read: (client) => client.view.list({ workspacePublicId }),
  apply: (data, event) => (isAbout(event, ...viewed) ? "read" : data),
  optimistic: (data, changes) =>
    withRowChanges({ publicId: workspacePublicId, views: data }, changes).views,
  isChangedBy: ({ boardPublicId }) => boardPublicId === workspacePublicId,
});

const onCards = ["card", "comment", "attachment", "checklist", "checklist_item", "import"];

/** The data of a view: it is read again after each event that may change it. */
const ofView = <Data>(
  { publicId, workspacePublicId }: OfWorkspace,
  name: string,
  read: LiveQuery<Data>["read"],
): LiveQuery<Data> => ({
  key: `views/${publicId}/${name}`,
  feeds: [workspacePublicId, userFeed],
  read,
  apply: (data, event) => (isAbout(event, ...viewed, ...onCards) ? "read" : data),
});

export const viewCards = (view: OfWorkspace, group?: string): LiveQuery<LiveData["viewCards"]> =>
  ofView(view, `cards/${group ?? ""}`, (client, pages) => {
    const input = { viewPublicId: view.publicId, ...(group === undefined ? {} : { group }) };
    return pagesOf(client.view.cards, input, pages);
  });

export const viewGroups = (view: OfWorkspace): LiveQuery<LiveData["viewGroups"]> =>
  ofView(view, "groups", (client) => client.view.groups({ viewPublicId: view.publicId }));

/** Who uses the store in a workspace: whom `me` means, and whose days. */
export const asker = (workspacePublicId: string): LiveQuery<LiveData["asker"]> => ({
  key: `asker/${workspacePublicId}`,
  feeds: [],
  async read(client) {
    const [me, workspace] = await Promise.all([
      client.user.me(),
      client.workspace.get({ workspacePublicId }),
    ]);
    return {
      me: workspace.memberPublicId,
      timeZone: me.timeZone ?? workspace.timeZone ?? "UTC",
      weekStartDay: workspace.weekStartDay,
    };
  },
  apply: (data, { type }) => (type === "workspace.updated" ? "read" : data),
});

const searched = ["card", "comment", "board", "list", "access", "import"];

export const search = (
  workspacePublicId: string,
  query: string,
  storedBoards: (workspacePublicId: string) => Promise<BoardView[]>,
): LiveQuery<LiveData["search"]> => ({
  feeds: [workspacePublicId],
  read: (client, pages) =>
    query.trim() === ""
      ? Promise.resolve({ items: [], hasMore: false })
      : pagesOf(client.workspace.search, { workspacePublicId, query }, pages),
  apply: (data, event) => (isAbout(event, ...searched) ? "read" : data),
  offline: async () => {
    const items = matches(await storedBoards(workspacePublicId), query);
    // That nothing is stored does not say that nothing is found.
    return items.length === 0 ? undefined : { items, hasMore: false };
  },
});

/** The cards of boards whose number or title has all words. */
function matches(boards: BoardView[], query: string): LiveData["search"]["items"] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  return boards.flatMap(({ publicId: boardPublicId, name: boardName, lists }) =>
    lists
      .flatMap(({ cards }) => cards)
      .filter(({ cardNumber, title }) => {
        const text = `${cardNumber} ${title}`.toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .map(({ publicId, title, cardNumber }) => ({
        type: "card" as const,
        publicId,
        title,
        excerpt: "",
        cardNumber,
        cardPublicId: publicId,
        boardPublicId,
        boardName,
      })),
  );
}

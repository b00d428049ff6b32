import { paginate, type Page } from "../pages.ts";
import { getOrMake } from "./get-or-make.ts";
import {
  boardFeed,
  Live,
  userFeed,
  type LiveEvent,
  type LiveHost,
  type LiveQuery,
} from "./live.ts";
import type { BoardView, LiveData, LiveStore } from "./types.ts";

/** Data beside boards that follows the service: the same object for the same arguments. */
export type Lives = {
  /** The user. */
  readonly user: () => LiveStore<LiveData["user"]>;
  /** The workspaces of the user, by name. */
  readonly workspaces: () => LiveStore<LiveData["workspaces"]>;
  /** The members of a workspace, without removed ones. */
  readonly members: (workspacePublicId: string) => LiveStore<LiveData["members"]>;
  /** The notifications of the user, newest first. */
  readonly notifications: () => LiveStore<LiveData["notifications"]>;
  /** What has happened on a board, newest first. */
  readonly activity: (boardPublicId: string) => LiveStore<LiveData["activity"]>;
  /** What a search in a workspace finds. Offline: the stored cards whose titles have the text. */
  readonly search: (workspacePublicId: string, query: string) => LiveStore<LiveData["search"]>;
};

/** Whether an event is about one of these resources. */
const isAbout = ({ type }: LiveEvent, ...resources: string[]) =>
  resources.includes(type.replace(/\..*/, ""));

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
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

const user: LiveQuery<LiveData["user"]> = {
  key: "user",
  feeds: [],
  read: (client) => client.user.me(),
  apply: (data) => data,
};

const workspaces: LiveQuery<LiveData["workspaces"]> = {
  key: "workspaces",
  feeds: [userFeed],
  read: (client) => client.workspace.list(),
  apply: (data, event) => (isAbout(event, "workspace", "invitation") ? "read" : data),
};

const members = (workspacePublicId: string): LiveQuery<LiveData["members"]> => ({
  key: `members/${workspacePublicId}`,
  feeds: [workspacePublicId],
  read: (client) => allOf(paginate(client.member.list, { workspacePublicId, limit: 100 })),
  // Events do not have the addresses of members.
  apply: (data, event) => (isAbout(event, "member", "role") ? "read" : data),
});

const notifications: LiveQuery<LiveData["notifications"]> = {
  key: "notifications",
  feeds: [userFeed],
  read: (client, pages) => pagesOf(client.user.notifications, {}, pages),
  apply(data, event) {
    const set = (items: LiveData["notifications"]["items"]) => ({ ...data, items });
    if (event.type === "notification.created") {
      const { notification } = event.data;
      const { publicId } = notification;
      return set([notification, ...data.items.filter((one) => one.publicId !== publicId)]);
    }
    if (event.type === "notification.read") {
      const { notificationPublicId, isRead } = event.data;
      const readAt = isRead ? event.timestamp : null;
      return set(
        data.items.map((one) =>
          one.publicId === notificationPublicId ? { ...one, isRead, readAt } : one,
        ),
      );
    }
    return event.type === "notification.all_read" ? "read" : data;
  },
};

const activity = (boardPublicId: string): LiveQuery<LiveData["activity"]> => ({
  key: `activity/${boardPublicId}`,
  feeds: [boardFeed(boardPublicId)],
  read: (client, pages) => pagesOf(client.board.activity, { boardPublicId }, pages),
  apply: (data, event) =>
    "boardPublicId" in event && event.boardPublicId === boardPublicId ? "read" : data,
});

const searched = ["card", "comment", "board", "list", "access", "import"];

const search = (
  workspacePublicId: string,
  query: string,
  stored: (workspacePublicId: string) => Promise<BoardView[]>,
): LiveQuery<LiveData["search"]> => ({
  feeds: [workspacePublicId],
  read: (client, pages) =>
    query.trim() === ""
      ? Promise.resolve({ items: [], hasMore: false })
      : pagesOf(client.workspace.search, { workspacePublicId, query }, pages),
  apply: (data, event) => (isAbout(event, ...searched) ? "read" : data),
  offline: async () => ({ items: matches(await stored(workspacePublicId), query), hasMore: false }),
});

/** The cards of boards whose number or title has all words. */
function matches(boards: BoardView[], query: string): LiveData["search"]["items"] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
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

/** How many searches are held: an application asks for each text that is typed. */
const maxSearches = 20;

/** The data beside boards of a store. */
export class LiveCache {
  readonly #all = new Map<string, Live<unknown>>();
  readonly #host: LiveHost;
  readonly #stored: (workspacePublicId: string) => Promise<BoardView[]>;

  constructor(host: LiveHost, stored: (workspacePublicId: string) => Promise<BoardView[]>) {
    this.#host = host;
    this.#stored = stored;
  }

  readonly lives: Lives = {
    user: () => this.#get("user", () => user),
    workspaces: () => this.#get("workspaces", () => workspaces),
    members: (id) => this.#get(`members/${id}`, () => members(id)),
    notifications: () => this.#get("notifications", () => notifications),
    activity: (id) => this.#get(`activity/${id}`, () => activity(id)),
    search: (id, query) => {
      const prefix = `search/${id}/`;
      const last = [...this.#all.keys()].filter((name) => name.startsWith(prefix));
      const unused = last.filter((name) => this.#all.get(name)?.isOpen === false);
      for (const name of unused.slice(0, Math.max(0, last.length - maxSearches)))
        this.#all.delete(name);
      return this.#get(`${prefix}${query}`, () => search(id, query, this.#stored));
    },
  };

  /** The workspaces that the user is known to have. */
  workspaceIds(): string[] {
    const { data = [] } = this.lives.workspaces().get();
    return data.map(({ workspace }) => workspace.publicId);
  }

  handle(event: LiveEvent): void {
    for (const live of this.#all.values()) live.handle(event);
  }

  /** Reads again what follows a feed that had a gap. */
  refresh(feed: string): void {
    for (const live of this.#all.values()) live.refresh(feed);
  }

  drop(): void {
    for (const live of this.#all.values()) live.drop();
  }

  #get<Data>(name: string, make: () => LiveQuery<Data>): Live<Data> {
    return getOrMake(this.#all, name, () => new Live(make(), this.#host)) as Live<Data>;
  }
}

import type { BoardServiceError } from "../errors.ts";
import { cardQuery, cardStore, type CardHost, type CardStore } from "./card.ts";
import { signedOut } from "./failures.ts";
import type { Pending } from "./fields.ts";
import { getOrMake } from "./get-or-make.ts";
import { boardFeed, Live, type LiveEvent, type LiveHost, type LiveQuery } from "./live.ts";
import * as queries from "./live-queries.ts";
import type { BoardView, LiveData, LiveStore, OfWorkspace } from "./types.ts";

/** Data other than boards that follows the service: the same object for the same arguments. */
export type Subscriptions = {
  /** Who uses the store in a workspace: whom `me` means, and whose days. */
  readonly asker: (workspacePublicId: string) => LiveStore<LiveData["asker"]>;
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
  /** The views of a workspace that the user sees. */
  readonly views: (workspacePublicId: string) => LiveStore<LiveData["views"]>;
  /** The cards of a view on all its boards, or those of one of its groups. */
  readonly viewCards: (view: OfWorkspace, group?: string) => LiveStore<LiveData["viewCards"]>;
  /** How many cards each group of a view has. */
  readonly viewGroups: (view: OfWorkspace) => LiveStore<LiveData["viewGroups"]>;
  /** What a search in a workspace finds. Offline: the stored cards whose titles have the text. */
  readonly search: (workspacePublicId: string, query: string) => LiveStore<LiveData["search"]>;
};

/** How many searches are held: an application asks for each text that is typed. */
const maxSearches = 20;

/** The data of a store, other than boards. */
export class SubscriptionCache {
  readonly #all = new Map<string, Live<unknown>>();
  readonly #cards = new Map<string, CardStore>();
  readonly #host: LiveHost;
  readonly #stored: (workspacePublicId: string) => Promise<BoardView[]>;

  constructor(host: LiveHost, storedBoards: (workspacePublicId: string) => Promise<BoardView[]>) {
    this.#host = host;
    this.#stored = storedBoards;
  }

  readonly subscriptions: Subscriptions = {
    asker: (id) => this.#get(`asker/${id}`, () => queries.asker(id)),
    user: () => this.#get("user", () => queries.user),
    workspaces: () => this.#get("workspaces", () => queries.workspaces),
    members: (id) => this.#get(`members/${id}`, () => queries.members(id)),
    notifications: () => this.#get("notifications", () => queries.notifications),
    activity: (id) => this.#get(`activity/${id}`, () => queries.activity(id)),
    views: (id) => this.#get(`views/${id}`, () => queries.views(id)),
    viewCards: (view, group) =>
      this.#get(`views/${view.publicId}/cards/${group ?? ""}`, () =>
        queries.viewCards(view, group),
      ),
    viewGroups: (view) =>
      this.#get(`views/${view.publicId}/groups`, () => queries.viewGroups(view)),
    search: (id, query) => {
      const prefix = `search/${id}/`;
      const last = [...this.#all.keys()].filter((name) => name.startsWith(prefix));
      const unused = last.filter((name) => this.#all.get(name)?.isOpen === false);
      for (const name of unused.slice(0, Math.max(0, last.length - maxSearches)))
        this.#all.delete(name);
      return this.#get(`${prefix}${query}`, () => queries.search(id, query, this.#stored));
    },
  };

  /** The workspaces that the user is known to have. */
  workspaceIds(): string[] {
    const { data = [] } = this.subscriptions.workspaces().get();
    return data.map(({ workspace }) => workspace.publicId);
  }

  handle(event: LiveEvent): void {
    for (const live of this.#all.values()) live.handle(event);
  }

  /** Reads again what follows a feed that had a gap. */
  refresh(feed: string, isLost = false): void {
    for (const live of this.#all.values()) live.refresh(feed, isLost);
  }

  /** Changes were confirmed. */
  confirm(changes: Pending[]): void {
    for (const live of this.#all.values()) live.confirm(changes);
  }

  /** Shows the changes that are not confirmed yet. */
  show(): void {
    for (const live of this.#all.values()) live.showChanges();
  }

  /** Removes all data: the user has signed out. */
  drop(): void {
    for (const live of this.#all.values()) live.drop(live.query.feedOf && signedOut());
  }

  /** Removes what is on a board that can no longer be seen. */
  deny(boardPublicId: string, error: BoardServiceError): void {
    for (const live of this.#all.values()) live.deny(boardFeed(boardPublicId), error);
  }

  /** A card, which is of this board by what is shown. */
  card(publicId: string, host: CardHost): CardStore {
    return getOrMake(this.#cards, publicId, () =>
      cardStore(
        publicId,
        this.#get(`card/${publicId}`, () => cardQuery(publicId, host)),
      ),
    );
  }

  #get<Data>(name: string, make: () => LiveQuery<Data>): Live<Data> {
    const open = () => new Live(make(), this.#host) as Live<unknown>;
    return getOrMake(this.#all, name, open) as Live<Data>;
  }
}

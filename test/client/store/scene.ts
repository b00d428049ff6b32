import { expect, onTestFinished } from "vitest";
import {
  createClient,
  newPublicId,
  type Client,
  type ClientOptions,
} from "../../../src/client/index.ts";
import {
  createStore,
  memoryPersistence,
  type BoardStore,
  type Store,
  type Persistence,
  type StoreOptions,
} from "../../../src/client/store/index.ts";
import type { App } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type User } from "../../support/make.ts";
import { waitFor } from "../../support/wait.ts";

/** A network that a test can interrupt. */
export class Network {
  readonly requests: Request[] = [];
  isDown = false;
  /** Answers requests instead of the app. */
  intercept: (request: Request) => Promise<Response | undefined> = async () => undefined;
  /** How many answers are held. */
  held = 0;
  #streams = new AbortController();
  readonly #app: () => App;

  constructor(app: () => App) {
    this.#app = app;
  }

  readonly fetch = async (address: string, init?: RequestInit): Promise<Response> => {
    if (this.isDown) throw new TypeError("The network is down.");
    const isStream = address.includes("/stream");
    const request = new Request(address, init);
    this.requests.push(request.clone());
    const response = (await this.intercept(request.clone())) ?? (await this.#app().fetch(request));
    if (!isStream || response.body === null) return response;
    return new Response(response.body.pipeThrough(new TransformStream(), this.#streams), response);
  };

  /** Ends all connections; until `up` is called there are no others. */
  down(): void {
    this.isDown = true;
    this.#streams.abort();
    this.#streams = new AbortController();
  }

  up(): void {
    this.isDown = false;
  }

  /** Holds the answers of an address until the returned function is called. */
  hold(part: string): () => Promise<void> {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    this.intercept = async (request) => {
      if (!request.url.includes(part)) return undefined;
      const response = await this.#app().fetch(request);
      this.held++;
      await isReleased;
      return response;
    };
    return async () => {
      this.intercept = async () => undefined;
      release();
      // The client has read the answers after a few turns.
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
  }

  /** The writes that were sent. */
  writes(): Request[] {
    return this.requests.filter(({ method, url }) => method === "POST" && url.includes("/trpc/"));
  }
}

/** A client and a store of a user. */
export function connect<Outbox extends StoreOptions["outbox"] = Persistence>(
  app: () => App,
  user: Pick<User, "token">,
  options: Options<Outbox> = {},
  more: Partial<ClientOptions> = {},
) {
  const network = new Network(app);
  const client = createClient({
    url: "http://boards.test",
    auth: { token: user.token },
    retries: 0,
    fetch: network.fetch,
    ...more,
  });
  return { network, client, ...open(client, options) };
}

type Options<Outbox> = Omit<StoreOptions, "outbox"> & { outbox?: Outbox };

/** A store of a client: a tab. By default its storage is in memory, and can be read. */
export function open<Outbox extends StoreOptions["outbox"] = Persistence>(
  client: Client,
  options: Options<Outbox> = {},
) {
  const name = options.name ?? `store ${newPublicId()}`;
  const outbox = (options.outbox ?? memoryPersistence()) as NonNullable<Outbox>;
  const store = createStore(client, { ...options, name, outbox });
  onTestFinished(() => store.close());
  return { store, name, outbox };
}

/** A workspace with a board of two lists and three cards. */
export async function makeScene(app: App) {
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace, { labels: 2 });
  const [first = "", second = ""] = board.lists;
  const { rest } = workspace.admin;
  const cards: string[] = [];
  for (const title of ["A", "B", "C"]) {
    const { body } = await rest.post("/cards", { title, listPublicId: first });
    cards.push(body.publicId);
  }
  return {
    workspace,
    admin: workspace.admin,
    board: board.publicId,
    first,
    second,
    cards,
    ...board,
  };
}

/** The titles of the cards of each list that a board shows. */
export const titles = (board: BoardStore) =>
  board.get().board?.lists.map(({ cards }) => cards.map(({ title }) => title));

/** Waits until a store has no unconfirmed changes, and a board shows what the service answers. */
export async function agrees(
  { client, store }: { client: Client; store: Store },
  board: BoardStore,
): Promise<void> {
  await waitFor(
    async () => {
      const { cursor: _, ...fresh } = await client.board.get({ boardPublicId: board.publicId });
      expect(board.get().board).toEqual(fresh);
      expect(store.mutations().pending).toEqual([]);
    },
    { interval: 100 },
  );
}

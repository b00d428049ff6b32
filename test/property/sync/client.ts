import { setTimeout } from "node:timers/promises";
import { applyEvent } from "../../../src/client/store/reducer.ts";
import type { BoardView } from "../../../src/client/store/index.ts";
import type { App } from "../../support/app.ts";
import type { User } from "../../support/make.ts";
import { isSignal, openStream, type Stream } from "../../support/stream.ts";
import { deepFreeze } from "./freeze.ts";
import { linePatches, partPatches } from "./line-patches.ts";
import {
  copyOf,
  emptyCopy,
  findCard,
  viewsOf,
  withOne,
  type CardCopy,
  type Copy,
  type Line,
} from "./lines.ts";
import { boardPatches, type Patch } from "./patches.ts";

type Any = any;
type Table = Map<string, string>;

/** The patch tables of the documentation. */
export type Tables = { boards: Table; snapshots: Table };

/** Who follows which workspace, and whether with the parts of cards. */
export type ClientOptions = { app: App; who: User; workspace: string; hasParts: boolean };

const parts = "comments=true&checklists=true&attachments=true";

/** A client that has a copy of a workspace: from a snapshot, patched by feed and stream. */
export class Client {
  copy: Copy = emptyCopy();
  /** The boards as the store of the client patches them. */
  readonly views = new Map<string, BoardView>();
  /** Up to where in the log each of them was read. */
  readonly #orders = new Map<string, string>();
  readonly #options: ClientOptions;
  readonly #tables: Tables;
  readonly #path: string;
  /** The cursor after the last event that was applied; empty before the first snapshot. */
  #cursor = "";
  #stream: Stream | undefined;
  #following: Promise<void> = Promise.resolve();

  constructor(options: ClientOptions, tables: Tables) {
    this.#options = options;
    this.#tables = tables;
    this.#path = `/workspaces/${options.workspace}`;
  }

  get isStreaming(): boolean {
    return this.#stream !== undefined;
  }

  /** The workspace as the service shows it now; empty where the client sees nothing. */
  async readAll(): Promise<Copy> {
    return copyOf((await this.#read())?.lines ?? []);
  }

  /** Follows the stream until `cut`. */
  async connect(): Promise<void> {
    if (this.#cursor === "") await this.#start();
    if (this.#cursor === "") return;
    const path = `${this.#path}/events/stream?cursor=${this.#cursor}`;
    const { app, who } = this.#options;
    const stream = await openStream(app, path, { token: who.token });
    if (stream.status === 403) return this.#leave();
    if (stream.status !== 200) throw new Error(JSON.stringify(stream.failure));
    this.#stream = stream;
    this.#following = this.#followStream(stream);
    // A failure is thrown by `cut`.
    this.#following.catch(() => undefined);
  }

  /** Loses the connection, at whatever event it was. */
  async cut(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    await stream?.close();
    await this.#following;
  }

  /** Applies new events of the feed: of some pages, or all. */
  async poll(pages = Infinity): Promise<void> {
    if (this.#cursor === "") await this.#start();
    for (let page = 0; page < pages && this.#cursor !== ""; page++) {
      const path = `${this.#path}/events?limit=100&cursor=${this.#cursor}`;
      const { status, body } = await this.#options.who.rest.get(path);
      if (status === 403) return this.#leave();
      if (status !== 200) throw new Error(JSON.stringify(body));
      for (const event of body.items) await this.#apply(event);
      if (this.#cursor === "" || body.items.length === 0) return;
      this.#cursor = body.nextCursor;
    }
  }

  async #followStream(stream: Stream): Promise<void> {
    for (;;) {
      const sent = await stream.next();
      if (sent === undefined || this.#stream !== stream) break;
      if (!isSignal(sent)) await this.#apply(sent.data);
      if (this.#cursor === "") break;
      this.#cursor = sent.id;
    }
    if (this.#stream === stream) this.#stream = undefined;
  }

  /**
   * Drops everything: the client was removed from the workspace. It starts anew when it is back.
   */
  #leave(): void {
    this.copy = emptyCopy();
    this.views.clear();
    this.#cursor = "";
  }

  /** Reads everything; the feed continues from there. */
  async #start(): Promise<void> {
    const read = await this.#read();
    if (read === undefined) return this.#leave();
    this.copy = copyOf(read.lines, orderOf(read.cursor));
    this.views.clear();
    this.#setViews(this.copy, read.cursor);
    this.#cursor = read.cursor;
  }

  /** The lines of a snapshot; undefined when the client may not read it. */
  async #read(query = ""): Promise<{ lines: Any[]; cursor: string } | undefined> {
    const { app, who, hasParts } = this.#options;
    const url = `http://service/api/v1${this.#path}/snapshot?${hasParts ? parts : ""}&${query}`;
    const headers = { Authorization: `Bearer ${who.token}` };
    const response = await app.fetch(new Request(url, { headers }));
    const text = await response.text();
    if (response.status === 403 || response.status === 404) return undefined;
    // Four snapshots run at a time, two of a user.
    if (response.status === 503 || response.status === 429) {
      await setTimeout(20);
      return this.#read(query);
    }
    if (response.status !== 200) throw new Error(text);
    const lines = text
      .trim()
      .split("\n")
      .map((line): Any => JSON.parse(line));
    const end = lines.pop();
    if (end.kind !== "end") throw new Error("The snapshot is incomplete.");
    return { lines, cursor: end.cursor };
  }

  async #apply(event: Any): Promise<void> {
    if (this.#cursor === "") return;
    const { type, data } = event;
    const [onBoard = "", onLines = "nothing"] = [
      this.#tables.boards.get(type),
      this.#tables.snapshots.get(type),
    ];
    const { order } = event;
    const ofViews = this.#patchViews(structuredClone(event), order, onBoard);
    const appeared: string[] = [];
    const ofBoards = this.#patch(onBoard, boardPatches[onBoard], event, order, appeared);
    const ofLines = this.#patch(onLines, this.#patchOf(onLines), event, order);
    const isAllLost = type === "access.lost" && this.copy.boards.size === 0;
    if (ofBoards.includes("all") || isAllLost || this.#changesAuthors(type)) return this.#start();
    if (data.shortened !== undefined && event.boardPublicId !== undefined)
      ofBoards.push(event.boardPublicId);
    const toRead = new Set([...ofBoards, ...ofViews]);
    for (const id of toRead) await this.#readBoard(id, true);
    // The store patches its boards where the lines of a snapshot have to be read.
    for (const id of ofLines) {
      if (!toRead.has(id)) await this.#readBoard(id, !this.views.has(id));
    }
    for (const id of appeared) await this.#readParts(data.card.publicId, id);
  }

  /**
   * Applies a patch to each board by itself, unless it was read after the event.
   *
   * Answers the boards to read; those on which the event's card appears are added to `appeared`.
   */
  #patch(
    name: string,
    patch: Patch | undefined,
    event: Any,
    order: string,
    appeared: string[] = [],
  ): string[] {
    const { data } = event;
    const isNewer = (id: string) => order <= (this.copy.boards.get(id)?.order ?? "");
    if (patch === undefined) return [];
    if (!ofOneBoard(name)) {
      const found = [patch(this.copy, data, event) ?? []].flat();
      return found.filter((id) => !isNewer(id) || !this.views.has(id));
    }
    const toRead: string[] = [];
    for (const id of this.copy.boards.keys()) {
      if (isNewer(id)) continue;
      const one = withOne(this.copy, id);
      const knows = findCard(one, data.card?.publicId) !== undefined;
      toRead.push(...[patch(one, data, event) ?? []].flat());
      if (!one.boards.has(id)) this.copy.boards.delete(id);
      else if (!knows && findCard(one, data.card?.publicId) !== undefined) appeared.push(id);
    }
    return toRead;
  }

  /** The patch of a line; of a part of cards only where the client reads them. */
  #patchOf(name: string): Patch | undefined {
    return this.#options.hasParts || !(name in partPatches) ? linePatches[name] : undefined;
  }

  #changesAuthors(type: string): boolean {
    return this.#options.hasParts && ["member.joined", "member.removed"].includes(type);
  }

  #setViews(copy: Copy, cursor: string): void {
    for (const [id, view] of viewsOf(structuredClone(copy))) {
      this.views.set(id, view);
      this.#orders.set(id, orderOf(cursor));
    }
  }

  /** Applies an event to the boards of the store; answers those that it has to read. */
  #patchViews(event: Any, order: string, patch: string): string[] {
    const toRead: string[] = [];
    for (const [id, view] of this.views) {
      if (order <= (this.#orders.get(id) ?? "")) continue;
      const next = applyEvent(deepFreeze(view), event);
      if (patch === "nothing" && next !== view)
        throw new Error(`The documentation says that ${event.type} changes no board.`);
      if (next === "remove") this.views.delete(id);
      else if (next === "read") toRead.push(id);
      else this.views.set(id, next);
    }
    return toRead;
  }

  async #readBoard(id: string, hasView: boolean): Promise<void> {
    const read = await this.#read(`boardPublicIds=${id}`);
    this.copy.boards.delete(id);
    if (hasView) this.views.delete(id);
    if (read === undefined) return;
    const next = copyOf(read.lines, orderOf(read.cursor));
    const boards = new Map([...this.copy.boards, ...next.boards]);
    this.copy = { ...next, boards };
    if (hasView) this.#setViews(next, read.cursor);
  }

  /** Reads the checklists, attachments and comments of a card that was not in the copy. */
  async #readParts(id: string, board: string): Promise<void> {
    const known: CardCopy | undefined = findCard(withOne(this.copy, board), id);
    if (known === undefined || !this.#options.hasParts) return;
    const { rest } = this.#options.who;
    const { status, body } = await rest.get(`/cards/${id}`);
    if (status !== 200) return;
    const onCard = (line: Line) => ({ ...line, cardPublicId: id });
    known.checklists = body.checklists.map(({ itemCount: _count, ...line }: Line) => onCard(line));
    known.attachments = byId(body.attachments.map(onCard));
    const comments = await rest.get(`/cards/${id}/comments?limit=100`);
    if (comments.status === 200) known.comments = byId(comments.body.items.map(onCard));
  }
}

/** Whether a patch changes boards, and not the lines of the workspace. */
const ofOneBoard = (name: string): boolean =>
  name in partPatches ||
  (name in boardPatches && !["read the board", "read all boards"].includes(name));

/** The part of a cursor that sorts. */
const orderOf = (cursor: string) => cursor.split(".").at(-1) ?? "";

const byId = (lines: Line[]) => new Map(lines.map((line) => [line.publicId, line]));

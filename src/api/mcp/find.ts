import type { inferProcedureOutput } from "@trpc/server";
import { getBoard } from "../../domain/boards/get.ts";
import { listBoards } from "../../domain/boards/list.ts";
import { listBoardMembers } from "../../domain/boards/members.ts";
import { getCardByNumber } from "../../domain/cards/get-by-number.ts";
import { getCard } from "../../domain/cards/get.ts";
import { getList } from "../../domain/lists/get.ts";
import { getWorkspace } from "../../domain/workspaces/get.ts";
import { listWorkspaces } from "../../domain/workspaces/list.ts";
import { Failure } from "../../platform/errors.ts";
import type { Session } from "./session.ts";
import { pick } from "./pick.ts";
import { quoted, ToolError } from "./text.ts";
import { getOrInsert } from "../../platform/maps.ts";

type Workspace = inferProcedureOutput<typeof listWorkspaces>[number]["workspace"];
type Board = { publicId: string; name: string; workspacePublicId: string };
export type Contents = inferProcedureOutput<typeof getBoard>;
export type Card = inferProcedureOutput<typeof getCard>;

/** How many workspaces are searched for a board whose workspace is not named. */
const maxWorkspaces = 20;
/** How many pages of boards or members are read to find one by name. */
const maxPages = 10;

/** Finds resources by the id, name or number that a caller gives. Each is read once. */
export class Find {
  readonly #session: Session;
  readonly #workspaces = remembering<Workspace[]>();
  readonly #contents = remembering<Contents>();
  readonly #cards = remembering<Card>();
  readonly #boards = remembering<inferProcedureOutput<typeof listBoards>["items"]>();
  readonly #members = remembering<inferProcedureOutput<typeof listBoardMembers>["items"]>();
  readonly #ownIds = remembering<string>();

  constructor(session: Session) {
    this.#session = session;
  }

  workspaces(): Promise<Workspace[]> {
    return this.#workspaces("", async () => {
      const entries = await this.#session.read(listWorkspaces, {});
      return entries.map(({ workspace }) => workspace);
    });
  }

  /** A workspace by its name, slug or id; the only one where none is named. */
  async workspace(nameOrId: string | undefined): Promise<Workspace> {
    return pick("workspace", nameOrId, await this.workspaces(), ({ name, slug }) => [name, slug]);
  }

  /** A board by its name, slug or id; the only one where none is named. */
  async board(nameOrId: string | undefined, workspace?: string): Promise<Board> {
    const byId = await this.#byId(nameOrId, (id) => this.contents(id));
    if (byId !== undefined) return byId;
    const workspaces =
      workspace === undefined ? await this.workspaces() : [await this.workspace(workspace)];
    if (workspaces.length > maxWorkspaces) {
      throw new ToolError("You are in many workspaces: name the workspace, or use the board's id.");
    }
    const read = async (archived: boolean) => {
      const ids = workspaces.map(({ publicId }) => publicId);
      return (await Promise.all(ids.map((id) => this.#boardsOf(id, archived)))).flat();
    };
    const namesOf = ({ name, slug }: Board & { slug: string }) => [name, slug];
    const open = await read(false);
    const isOpen =
      nameOrId === undefined || open.some((board) => isNamed(nameOrId, namesOf(board)));
    const archived = isOpen ? [] : await read(true);
    const isArchived = archived.some((board) => isNamed(nameOrId ?? "", namesOf(board)));
    const names = new Map(workspaces.map(({ publicId, name }) => [publicId, name]));
    return pick("board", nameOrId, isArchived ? archived : open, namesOf, (board) => {
      return `in ${quoted(names.get(board.workspacePublicId) ?? "")}`;
    });
  }

  /** The workspace that is named, or that of a board; and the board where one is named. */
  async scope(workspace: string | undefined, board: string | undefined) {
    if (board === undefined) {
      return { workspacePublicId: (await this.workspace(workspace)).publicId };
    }
    const { workspacePublicId, publicId: boardPublicId } = await this.board(board, workspace);
    return { workspacePublicId, boardPublicId };
  }

  /** The lists, labels and custom fields of a board. */
  contents(boardPublicId: string): Promise<Contents> {
    const input = { boardPublicId, cardLimit: 1, archived: true };
    return this.#contents(boardPublicId, () => this.#session.read(getBoard, input));
  }

  /** A list by its name or id. A name needs the board, unless there is only one. */
  async list(nameOrId: string, board: string | undefined) {
    const byId = await this.#byId(nameOrId, (listPublicId) =>
      this.#session.read(getList, { listPublicId }),
    );
    if (byId !== undefined) return byId;
    const { publicId } = await this.board(board);
    return this.listOf(publicId, nameOrId);
  }

  /** A list of a board. */
  async listOf(boardPublicId: string, nameOrId: string) {
    const { lists } = await this.contents(boardPublicId);
    const open = lists.filter(({ isArchived }) => !isArchived);
    const isOpen = open.some(({ name, publicId }) => isNamed(nameOrId, [name, publicId]));
    const list = pick("list", nameOrId, isOpen ? open : lists, ({ name }) => [name]);
    return { ...list, boardPublicId };
  }

  /** A label of a board. */
  async label(boardPublicId: string, nameOrId: string) {
    const { labels } = await this.contents(boardPublicId);
    return pick("label", nameOrId, labels, ({ name }) => [name]);
  }

  /** The ids of labels of a board. */
  async labels(
    boardPublicId: string,
    namesOrIds: string[] | undefined,
  ): Promise<string[] | undefined> {
    if (namesOrIds === undefined) return undefined;
    return Promise.all(
      namesOrIds.map(async (label) => (await this.label(boardPublicId, label)).publicId),
    );
  }

  /** A custom field of a board. */
  async field(boardPublicId: string, nameOrId: string) {
    const { fields } = await this.contents(boardPublicId);
    return pick("field", nameOrId, fields, ({ name }) => [name]);
  }

  /** The names of the members who see a board, by their ids. */
  async memberNames(boardPublicId: string): Promise<Map<string, string>> {
    const members = await this.#membersOf(boardPublicId);
    return new Map(members.map(({ publicId, name }) => [publicId, name]));
  }

  /** The id of a member who sees a board: by name, address or id, or `me`. */
  async member(boardPublicId: string, nameOrId: string): Promise<string> {
    if (nameOrId.toLowerCase() === "me") {
      return this.ownMember((await this.contents(boardPublicId)).workspacePublicId);
    }
    const members = await this.#membersOf(boardPublicId);
    return pick("member", nameOrId, members, ({ name, email }) => [name, email ?? []].flat())
      .publicId;
  }

  /** The ids of members who see a board. */
  async members(boardPublicId: string, namesOrIds: string[] | undefined) {
    if (namesOrIds === undefined) return undefined;
    return Promise.all(namesOrIds.map((member) => this.member(boardPublicId, member)));
  }

  /** A card by its number, such as `WEB-12`, or its id. */
  async card(numberOrId: string): Promise<Card> {
    const number = /^(?:([A-Za-z0-9]{1,10})-)?([1-9][0-9]{0,8})$/.exec(numberOrId.trim());
    if (number === null) {
      const card = await this.#byId(numberOrId, (cardPublicId) =>
        this.#session.read(getCard, { cardPublicId }),
      );
      if (card !== undefined) return card;
      throw new ToolError(
        `No card ${quoted(numberOrId)}. Name a card by its number, such as WEB-12, or by its id; ` +
          "card_search finds cards by words.",
      );
    }
    return this.#cards(numberOrId, () => this.#byNumber(numberOrId.trim(), number[1]));
  }

  async #byNumber(cardNumber: string, prefix: string | undefined): Promise<Card> {
    const all = await this.workspaces();
    const isMeant = ({ cardPrefix }: Workspace) =>
      cardPrefix.toLowerCase() === prefix?.toLowerCase();
    const candidates =
      prefix === undefined ? [await this.workspace(undefined)] : all.filter(isMeant);
    const cards = await Promise.all(
      candidates.map(({ publicId: workspacePublicId }) =>
        orMissing(this.#session.read(getCardByNumber, { workspacePublicId, cardNumber })),
      ),
    );
    const existing = cards.filter((card) => card !== undefined);
    if (existing.length === 0) {
      const prefixes = [...new Set(all.map(({ cardPrefix }) => cardPrefix))].slice(0, 20);
      throw new ToolError(
        `No card ${cardNumber}. Your workspaces number cards ${prefixes.join(", ")}.`,
      );
    }
    return pick("card", undefined, existing, ({ title }) => [title]);
  }

  #boardsOf(workspacePublicId: string, archived: boolean) {
    return this.#boards(`${workspacePublicId} ${archived}`, () =>
      allOf((cursor) =>
        this.#session.read(listBoards, { workspacePublicId, archived, limit: 100, cursor }),
      ),
    );
  }

  #membersOf(boardPublicId: string) {
    return this.#members(boardPublicId, () =>
      allOf((cursor) =>
        this.#session.read(listBoardMembers, { boardPublicId, limit: 100, cursor }),
      ),
    );
  }

  /** The caller's own id as a member of a workspace. */
  ownMember(workspacePublicId: string): Promise<string> {
    return this.#ownIds(workspacePublicId, async () => {
      return (await this.#session.read(getWorkspace, { workspacePublicId })).memberPublicId;
    });
  }

  /** Reads a resource if the text is an id of one; otherwise undefined. */
  #byId<Found>(id: string | undefined, read: (id: string) => Promise<Found>) {
    if (id === undefined || !/^[0-9a-z]{12}$/.test(id)) return Promise.resolve(undefined);
    return orMissing(read(id));
  }
}

/** Reads each value once. */
function remembering<Value>() {
  const values = new Map<string, Promise<Value>>();
  return (key: string, read: () => Promise<Value>) => getOrInsert(values, key, read);
}

const isNamed = (nameOrId: string, names: string[]) =>
  names.some((name) => name.toLowerCase() === nameOrId.trim().toLowerCase());

async function orMissing<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Failure && error.failure === "NOT_FOUND") return undefined;
    throw error;
  }
}

type Page<Item> = { items: Item[]; nextCursor: string | null };

/** The items of the first pages. */
async function allOf<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>) {
  const all: Item[] = [];
  let cursor: string | undefined;
  for (let nth = 0; nth < maxPages; nth++) {
    const { items, nextCursor } = await read(cursor);
    all.push(...items);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return all;
}

import { BoardServiceError, errorOf } from "./errors.ts";
import { overLimit } from "./over-limit.ts";
import { aloneWith, type CardWithComments, type WithTexts } from "./card-shapes.ts";
import type { Board, Inputs } from "./router.ts";
import { splitStream } from "./split-stream.ts";
import type { Fetch } from "./transport.ts";

/** Which boards to read. */
export type ReadBoardsOptions = {
  /** Only these boards. */
  boardPublicIds?: readonly string[];
  /** Archived boards too. Archived lists and cards are left out. */
  archived?: boolean;
  /** The cards with all that is on them too. */
  details?: boolean;
  /** Aborts the read. */
  signal?: AbortSignal;
};

type List = Board["lists"][number];
type Card = List["cards"][number];
type OfBoard = { boardPublicId: string; isArchived: boolean };
type OfCard = { cardPublicId: string };
type Comment = CardWithComments["comments"][number];
type Checklist = CardWithComments["checklists"][number];
type Attachment = CardWithComments["attachments"][number];
type Relation = CardWithComments["relations"][number];

/** The lines of a snapshot that boards are made of. */
type Line =
  | { kind: "workspace"; publicId: string }
  | ({ kind: "board" } & Omit<
      Board,
      "workspacePublicId" | "lists" | "labels" | "fields" | "cursor"
    >)
  | ({ kind: "label" } & OfBoard & Board["labels"][number])
  | ({ kind: "field" } & OfBoard & Board["fields"][number])
  | ({ kind: "list" } & OfBoard & Omit<List, "cards" | "cardCount" | "cardsOverLimit">)
  | ({ kind: "card" } & OfBoard & WithTexts & Card)
  | ({ kind: "checklist" } & OfCard & Omit<Checklist, "itemCount">)
  | ({ kind: "attachment"; attachmentKind: Attachment["kind"] } & OfCard & Omit<Attachment, "kind">)
  | ({ kind: "comment" } & OfCard & Comment)
  | ({ kind: "relation"; relationKind: Relation["kind"] } & OfCard & Omit<Relation, "kind">)
  | ({ kind: "cardFields" } & OfCard & Pick<CardWithComments, "fields">)
  | { kind: "end"; cursor: string }
  | { kind: "role" | "member" };

/** Whole boards of one moment; the feed from `cursor` has all later events. */
export type ReadBoards = {
  /** The boards, with their lists and cards. */
  boards: Board[];
  /** With `details`, the cards with all their parts; `isWatching` is false. */
  cards: CardWithComments[];
  /** Their moment: `events` continues `from` it. */
  cursor: string;
};

type Selection = Inputs["workspace"]["snapshot"];
type Switch = Exclude<keyof Selection, "workspacePublicId" | "boardPublicIds" | "archived">;
/** What a snapshot with all that is on cards selects. */
const parts: Readonly<Record<Switch, true>> = {
  fields: true,
  checklists: true,
  relations: true,
  attachments: true,
  comments: true,
};

/** Reads whole boards of a workspace from its snapshot. */
export async function readBoards(
  fetch: Fetch,
  address: string,
  { boardPublicIds, archived = false, details = false, signal }: ReadBoardsOptions,
): Promise<ReadBoards> {
  const query = new URLSearchParams({ archived: String(archived) });
  if (details) for (const part of Object.keys(parts)) query.set(part, "true");
  if (boardPublicIds !== undefined) query.set("boardPublicIds", boardPublicIds.join());
  const response = await fetch(`${address}?${query.toString()}`, signal ? { signal } : {});
  if (!response.ok) throw await errorOf(response);
  const snapshot = new Snapshot();
  try {
    for await (const line of linesOf(response)) snapshot.add(JSON.parse(line) as Line);
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    throw incomplete(cause);
  }
  const { cursor } = snapshot;
  if (cursor === undefined) throw incomplete();
  const boards = snapshot.boards.map((board) => ({ ...board, cursor }));
  return { boards, cards: details ? [...snapshot.cards.values()] : [], cursor };
}

const linesOf = ({ body }: Response) => (body === null ? [] : splitStream(body, "\n"));

const incomplete = (cause?: unknown) =>
  new BoardServiceError(
    { status: 0, code: "NETWORK_ERROR", message: "The snapshot is incomplete." },
    { cause },
  );

/** The boards of the lines so far. Each parent comes before its children. */
class Snapshot {
  cursor: string | undefined;
  readonly cards = new Map<string, CardWithComments>();
  readonly #boards = new Map<string, Omit<Board, "cursor">>();
  readonly #lists = new Map<string, List>();
  #workspacePublicId = "";

  get boards(): Omit<Board, "cursor">[] {
    return [...this.#boards.values()];
  }

  add(line: Line): void {
    if (line.kind === "workspace") this.#workspacePublicId = line.publicId;
    else if (line.kind === "board") this.#addBoard(line);
    else if (line.kind === "label") {
      const { kind: _kind, boardPublicId, ...label } = line;
      this.#boards.get(boardPublicId)?.labels.push(label);
    } else if (line.kind === "field") {
      const { kind: _kind, boardPublicId, ...field } = line;
      this.#boards.get(boardPublicId)?.fields.push(field);
    } else if (line.kind === "list") {
      const { kind: _kind, boardPublicId, ...list } = line;
      if (list.isArchived) return;
      const newList: List = { ...list, cardCount: 0, cardsOverLimit: 0, cards: [] };
      this.#lists.set(list.publicId, newList);
      this.#boards.get(boardPublicId)?.lists.push(newList);
    } else if (line.kind === "card") this.#addCard(line);
    else if (line.kind === "end") this.cursor = line.cursor;
    else if ("cardPublicId" in line) this.#addPart(line);
  }

  #addPart(line: Extract<Line, OfCard>) {
    const card = this.cards.get(line.cardPublicId);
    if (card === undefined) return;
    if (line.kind === "comment") {
      const { kind: _kind, cardPublicId: _card, ...comment } = line;
      card.comments.push(comment);
    } else if (line.kind === "cardFields") card.fields = line.fields;
    else if (line.kind === "checklist") {
      const { kind: _kind, cardPublicId: _card, ...checklist } = line;
      card.checklists.push({ ...checklist, itemCount: checklist.items.length });
    } else if (line.kind === "relation") {
      const { kind: _kind, cardPublicId: _card, relationKind: kind, ...relation } = line;
      card.relations.push({ ...relation, kind });
    } else if (line.kind === "attachment") {
      const { kind: _kind, cardPublicId: _card, attachmentKind: kind, ...attachment } = line;
      card.attachments.push({ ...attachment, kind });
    }
  }

  #addBoard({ kind: _kind, ...board }: Extract<Line, { kind: "board" }>) {
    const workspacePublicId = this.#workspacePublicId;
    this.#boards.set(board.publicId, {
      ...board,
      workspacePublicId,
      lists: [],
      labels: [],
      fields: [],
    });
  }

  #addCard(line: Extract<Line, { kind: "card" }>) {
    const { kind: _kind, boardPublicId, ...rest } = line;
    const { description, listPublicId, createdAt, updatedAt, ...card } = rest;
    const list = this.#lists.get(listPublicId);
    if (list === undefined || card.isArchived) return;
    const texts = { description, listPublicId, createdAt, updatedAt };
    const places = { boardPublicId, workspacePublicId: this.#workspacePublicId };
    this.cards.set(card.publicId, aloneWith(card, { ...texts, ...places }));
    list.cards.push(card);
    list.cardCount++;
    list.cardsOverLimit = overLimit(list, list.cardCount);
  }
}

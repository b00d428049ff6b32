type Any = any;

/** A resource, as its line of the snapshot or an event shows it. */
export type Line = Record<string, Any> & { publicId: string };
type ById = Map<string, Line>;

/** A card with its parts, where the client reads them. */
export type CardCopy = { card: Line; checklists: Line[]; comments: ById; attachments: ById };
export type ListCopy = { list: Line; cards: CardCopy[] };
/** `order` is that of the cursor of its last read. */
export type BoardCopy = {
  board: Line;
  views: ById;
  labels: ById;
  lists: ListCopy[];
  order: string;
};

/** What a client holds of a workspace. */
export type Copy = {
  workspace: Line | undefined;
  roles: ById;
  members: ById;
  /** The views of the workspace. */
  views: ById;
  boards: Map<string, BoardCopy>;
};

/** A copy without anything. */
export const emptyCopy = (): Copy => ({
  workspace: undefined,
  roles: new Map(),
  members: new Map(),
  views: new Map(),
  boards: new Map(),
});

export const newCard = (card: Line): CardCopy => ({
  card,
  checklists: [],
  comments: new Map(),
  attachments: new Map(),
});

/** All lists of a copy. */
const listsOf = (copy: Copy): ListCopy[] => [...copy.boards.values()].flatMap(({ lists }) => lists);

/** A list by its id. */
export const findList = (copy: Copy, id: string): ListCopy | undefined =>
  listsOf(copy).find(({ list }) => list.publicId === id);

/** All cards of a copy. */
export const cardsOf = (copy: Copy): CardCopy[] => listsOf(copy).flatMap(({ cards }) => cards);

/** A card by its id. */
export function findCard(copy: Copy, id: string): CardCopy | undefined {
  for (const { cards } of listsOf(copy)) {
    const found = cards.find(({ card }) => card.publicId === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A copy with one of its boards: boards are patched by themselves. */
export const withOne = (copy: Copy, id: string): Copy => {
  const board = copy.boards.get(id);
  return { ...copy, boards: new Map(board === undefined ? [] : [[id, board]]) };
};

/** Removes a card, wherever it is. */
export function removeCard(copy: Copy, id: string): void {
  for (const one of listsOf(copy)) {
    one.cards = one.cards.filter(({ card }) => card.publicId !== id);
  }
}

/** The views of the board that a view is of, or those of the workspace. */
export const viewsBeside = (copy: Copy, { boardPublicId }: Line): ById | undefined =>
  boardPublicId === null ? copy.views : copy.boards.get(boardPublicId)?.views;

/** How a line of each kind enters a copy. */
const adders: Record<string, (copy: Copy, line: Any) => void> = {
  workspace: (copy, line) => (copy.workspace = line),
  role: (copy, line) => copy.roles.set(line.publicId, line),
  // Events do not show the addresses of members.
  member: (copy, line) => copy.members.set(line.publicId, { ...line, email: null }),
  board: (copy, line) =>
    copy.boards.set(line.publicId, {
      board: line,
      views: new Map(),
      labels: new Map(),
      lists: [],
      order: "",
    }),
  view: (copy, line) => viewsBeside(copy, line)?.set(line.publicId, line),
  label: (copy, line) => copy.boards.get(line.boardPublicId)?.labels.set(line.publicId, line),
  list: (copy, line) => copy.boards.get(line.boardPublicId)?.lists.push({ list: line, cards: [] }),
  card(copy, line) {
    const cards = findList(copy, line.listPublicId)?.cards;
    if (cards?.length !== line.index) throw new Error(`Wrong index: ${JSON.stringify(line)}`);
    cards?.push(newCard(line));
  },
  checklist: (copy, line) => findCard(copy, line.cardPublicId)?.checklists.push(line),
  comment: (copy, line) => findCard(copy, line.cardPublicId)?.comments.set(line.publicId, line),
  attachment: (copy, { attachmentKind, ...line }) =>
    findCard(copy, line.cardPublicId)?.attachments.set(line.publicId, {
      ...line,
      kind: attachmentKind,
    }),
};

/** A copy from the lines of a snapshot, but the last, and from the order of its cursor. */
export function copyOf(lines: Any[], order = ""): Copy {
  const copy = emptyCopy();
  for (const { kind, ...line } of lines) {
    const add = adders[kind];
    if (add === undefined) throw new Error(`An unknown kind: ${kind}`);
    add(copy, line);
  }
  for (const board of copy.boards.values()) board.order = order;
  return copy;
}

const plain = (lines: ById) => Object.fromEntries(lines);

/** The labels of a card by their ids, as its board has them. */
const labelsOf = ({ labels }: Line, ofBoard: ById) =>
  [...ofBoard.values()]
    .filter(({ publicId }) => labels.some((label: Line) => label.publicId === publicId))
    .map(({ boardPublicId: _board, ...label }) => label)
    .toSorted(byName);

/** The cards of a board show what they are to each other: a relation stands on both of its cards. */
function relateAll(cards: Line[]): void {
  const byId = new Map(cards.map((card) => [card.publicId, card]));
  const edges = new Set<string>();
  for (const { publicId, relatedCards } of cards) {
    for (const id of relatedCards.blocks) edges.add(`blocks ${publicId} ${id}`);
    for (const id of relatedCards.blockedBy) edges.add(`blocks ${id} ${publicId}`);
    for (const id of relatedCards.children) edges.add(`parent ${publicId} ${id}`);
    if (relatedCards.parent !== null) edges.add(`parent ${relatedCards.parent} ${publicId}`);
  }
  for (const card of cards)
    card["relatedCards"] = { parent: null, children: [], blocks: [], blockedBy: [] };
  for (const edge of [...edges].toSorted()) {
    const [kind, from, to] = edge.split(" ").map((part) => byId.get(part) ?? part);
    if (typeof from !== "object" || typeof to !== "object") continue;
    from["relatedCards"][kind === "blocks" ? "blocks" : "children"].push(to.publicId);
    if (kind === "blocks") to["relatedCards"].blockedBy.push(from.publicId);
    else to["relatedCards"].parent = from.publicId;
  }
  const completed = (ids: string[]) => ids.filter((id) => byId.get(id)?.["isComplete"]).length;
  for (const card of cards) {
    const { children, blockedBy } = card["relatedCards"];
    card["openBlockers"] = blockedBy.length - completed(blockedBy);
    card["children"] = { total: children.length, completed: completed(children) };
  }
}

/** What a client shows of its copy. */
export function followed(copy: Copy): Copy {
  const own = structuredClone(copy);
  for (const member of own.members.values())
    member["role"] = own.roles.get(member["rolePublicId"])?.["name"] ?? member["role"];
  for (const { labels, lists } of own.boards.values()) {
    for (const { card } of lists.flatMap(({ cards }) => cards))
      card["labels"] = labelsOf(card, labels);
    relateAll(lists.flatMap(({ cards }) => cards.map(({ card }) => card)));
  }
  return own;
}

/** Sorts by name, then by public id. */
export const byName = (one: Line, other: Line): number =>
  one["name"] === other["name"]
    ? one.publicId < other.publicId
      ? -1
      : 1
    : one["name"] < other["name"]
      ? -1
      : 1;

/** A copy as a plain object, to be compared. */
export const shown = ({ workspace, roles, members, views, boards }: Copy) => ({
  workspace,
  roles: plain(roles),
  members: plain(members),
  views: plain(views),
  boards: Object.fromEntries(
    [...boards].map(([id, { board, views: ofBoard, labels, lists }]) => [
      id,
      {
        ...board,
        views: plain(ofBoard),
        labels: plain(labels),
        lists: lists.map(({ list, cards }) => ({
          ...list,
          cards: cards.map(({ card, checklists, comments, attachments }, index) => ({
            ...card,
            index,
            checklists,
            comments: plain(comments),
            attachments: plain(attachments),
          })),
        })),
      },
    ]),
  ),
});

const overLimit = ({ wipLimit, wipMode }: Omit<Line, "publicId">, cards: number) =>
  wipLimit === null || wipMode === "off" ? 0 : Math.max(cards - wipLimit, 0);

/** The boards of a copy as `board.get` answers them, for the store of the client. */
export const viewsOf = ({ workspace, boards }: Copy): Map<string, Any> =>
  new Map(
    [...boards].map(([id, { board, labels, lists }]) => [
      id,
      {
        ...board,
        workspacePublicId: workspace?.publicId,
        labels: [...labels.values()].map(({ boardPublicId: _board, ...label }) => label),
        // No operation adds a field.
        fields: [],
        lists: lists.map(({ list: { boardPublicId: _board, ...list }, cards }) => ({
          ...list,
          cardCount: cards.length,
          cardsOverLimit: overLimit(list, cards.length),
          cards: cards.map(({ card }, index) => entryOf({ ...card, index })),
        })),
      },
    ]),
  );

const entryOf = ({
  description: _description,
  listPublicId: _list,
  boardPublicId: _board,
  createdAt: _created,
  updatedAt: _updated,
  ...card
}: Line) => card;

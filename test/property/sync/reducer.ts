type Any = any;

/** A client's copy: the boards that it can see, as `board.get` answers them. */
export type Copy = Map<string, Any>;

/** Reads a board; undefined when the client cannot see it. */
export type ReadBoard = (publicId: string) => Promise<Any>;

type Patch = (copy: Copy, event: Any, read: ReadBoard) => void | Promise<void>;

const byName = (one: Any, other: Any) =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one.publicId < other.publicId ? -1 : 1;

const listsOf = (copy: Copy): Any[] => [...copy.values()].flatMap(({ lists }) => lists);
const cardsOf = (copy: Copy): Any[] => listsOf(copy).flatMap(({ cards }) => cards);
const findList = (copy: Copy, id: string) => listsOf(copy).find((list) => list.publicId === id);
const findCard = (copy: Copy, id: string) => cardsOf(copy).find((card) => card.publicId === id);

/** The fields of a card within a board. */
function entryOf({
  description: _d,
  listPublicId: _l,
  createdAt: _c,
  updatedAt: _u,
  ...card
}: Any) {
  return card;
}

function removeCard(copy: Copy, id: string): void {
  for (const list of listsOf(copy))
    setCards(
      list,
      list.cards.filter((card: Any) => card.publicId !== id),
    );
}

function setCards(list: Any, cards: Any[]): void {
  list.cards = cards;
  list.cardCount = cards.length;
  for (const [index, card] of cards.entries()) card.index = index;
}

const isOld = (known: Any, next: Any) => known !== undefined && known.version >= next.version;

/** Replaces the fields of the card where it stands. */
const replaceCard: Patch = (copy, { data }) => {
  const known = findCard(copy, data.card.publicId);
  if (known === undefined || isOld(known, data.card)) return;
  Object.assign(known, entryOf({ ...data.card, index: known.index }));
};

/** Removes the card, then inserts it at `to`. */
const insertCard: Patch = (copy, { data }) => {
  const known = findCard(copy, data.card.publicId);
  if (data.to === undefined) return removeCard(copy, data.card.publicId);
  if (isOld(known, data.card)) return;
  removeCard(copy, data.card.publicId);
  const list = findList(copy, data.to.listPublicId);
  if (list === undefined || data.card.isArchived) return;
  setCards(list, list.cards.toSpliced(data.to.index, 0, entryOf(data.card)));
};

const dropCard: Patch = (copy, { data }) => {
  if (!isOld(findCard(copy, data.card.publicId), data.card)) removeCard(copy, data.card.publicId);
};

/** Replaces the fields of the list where it stands. */
const replaceList: Patch = (copy, { data }) => {
  const known = findList(copy, data.list.publicId);
  if (known !== undefined && !isOld(known, data.list)) Object.assign(known, data.list);
};

const dropList: Patch = (copy, { data, boardPublicId }) => {
  const board = copy.get(boardPublicId);
  if (board !== undefined && !isOld(findList(copy, data.list.publicId), data.list))
    removeList(board, data.list.publicId);
};

function removeList(board: Any, id: string): void {
  board.lists = board.lists.filter((list: Any) => list.publicId !== id);
}

/** Removes the list, then inserts it at `to.index` with its cards. */
const insertList: Patch = async (copy, event, read): Promise<void> => {
  const { data, boardPublicId } = event;
  const board = copy.get(boardPublicId);
  const known = findList(copy, data.list.publicId);
  if (board === undefined || isOld(known, data.list)) return;
  if (data.shortened?.includes("data.cards")) return readBoard(copy, event, read);
  const list = { ...known, ...data.list };
  const cards = data.cards ?? known?.cards ?? [];
  setCards(list, cards.map(entryOf));
  removeList(board, data.list.publicId);
  if (!list.isArchived) board.lists.splice(data.to.index, 0, list);
};

const sortCards: Patch = async (copy, event, read): Promise<void> => {
  const { data } = event;
  const list = findList(copy, data.list.publicId);
  if (list === undefined || isOld(list, data.list)) return;
  if (data.shortened?.includes("data.cardPublicIds")) return readBoard(copy, event, read);
  Object.assign(list, data.list);
  const at = (card: Any) => data.cardPublicIds.indexOf(card.publicId);
  setCards(
    list,
    list.cards.toSorted((one: Any, other: Any) => at(one) - at(other)),
  );
};

const shown = ({ publicId, name, colourCode }: Any) => ({ publicId, name, colourCode });

/** Sets the label of the board, and wherever cards show it. */
const setLabel: Patch = (copy, { data, boardPublicId }) => {
  const board = copy.get(boardPublicId);
  if (board === undefined) return;
  const replace = (labels: Any[], isAdded: boolean) => {
    const others = labels.filter((label) => label.publicId !== data.label.publicId);
    return isAdded || others.length < labels.length
      ? [...others, shown(data.label)].toSorted(byName)
      : labels;
  };
  board.labels = replace(board.labels, true);
  for (const list of board.lists)
    for (const card of list.cards) card.labels = replace(card.labels, false);
};

const dropLabel: Patch = (copy, { data, boardPublicId }) => {
  const board = copy.get(boardPublicId);
  if (board === undefined) return;
  const without = (labels: Any[]) =>
    labels.filter((label) => label.publicId !== data.label.publicId);
  board.labels = without(board.labels);
  for (const list of board.lists) for (const card of list.cards) card.labels = without(card.labels);
};

/** Sets name and image wherever cards show the member. */
const setMember: Patch = (copy, { data }) => {
  const { publicId, name, image } = data.member;
  for (const card of cardsOf(copy)) {
    for (const member of card.members)
      if (member.publicId === publicId) Object.assign(member, { name, image });
    card.members.sort(byName);
  }
};

const dropMember: Patch = (copy, { data }) => {
  for (const card of cardsOf(copy))
    card.members = card.members.filter((one: Any) => one.publicId !== data.member.publicId);
};

/** Replaces the card prefix of every card number. */
const setPrefix: Patch = (copy, { data }) => {
  for (const card of cardsOf(copy)) {
    const number = card.cardNumber.slice(card.cardNumber.lastIndexOf("-") + 1);
    card.cardNumber = `${data.workspace.cardPrefix}-${number}`;
  }
};

const setBoard: Patch = (copy, { data }) => {
  const known = copy.get(data.board.publicId);
  if (known !== undefined && !isOld(known, data.board)) Object.assign(known, data.board);
};

/** Reads the board again: the event has not all of it. */
async function readBoard(copy: Copy, event: Any, read: ReadBoard): Promise<void> {
  const id = event.data.boardPublicId ?? event.boardPublicId;
  const board = await read(id);
  if (board === undefined) copy.delete(id);
  else copy.set(id, board);
}

const readBoards: Patch = async (copy, _, read) => {
  for (const id of copy.keys()) await readBoard(copy, { boardPublicId: id, data: {} }, read);
};

const dropBoard: Patch = (copy, { data }) =>
  void copy.delete(data.boardPublicId ?? data.board.publicId);

const nothing: Patch = () => undefined;

/** The patch of each type of event, by its name in `docs/sync.md`. */
const patches: Record<string, Patch> = {
  "replace the card": replaceCard,
  "insert the card": insertCard,
  "remove the card": dropCard,
  "replace the list": replaceList,
  "insert the list": insertList,
  "remove the list": dropList,
  "sort the cards": sortCards,
  "set the label": setLabel,
  "remove the label": dropLabel,
  "set the member": setMember,
  "remove the member": dropMember,
  "replace the prefix": setPrefix,
  "replace the board": setBoard,
  "read the board": readBoard,
  "read all boards": readBoards,
  "remove the board": dropBoard,
  nothing,
};

/** Applies an event to a copy, as the table says. */
export async function apply(
  table: ReadonlyMap<string, string>,
  copy: Copy,
  event: Any,
  read: ReadBoard,
): Promise<void> {
  const patch = patches[table.get(event.type) ?? ""];
  if (patch === undefined) throw new Error(`docs/sync.md has no patch for ${event.type}.`);
  await patch(copy, event, read);
}

/** Whether the reducer knows a patch. */
export const isPatch = (name: string): boolean => Object.hasOwn(patches, name);

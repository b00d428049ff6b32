import { cardsOf, findCard, viewsBeside, type CardCopy, type Copy, type Line } from "./lines.ts";
import { boardPatches, type Patch } from "./patches.ts";

type Any = any;

const isOld = (known: Line | undefined, next: Line) =>
  known !== undefined && known["version"] >= next["version"];

const put = (lines: Map<string, Line>, line: Line) => {
  const known = lines.get(line.publicId);
  if (!isOld(known, line)) lines.set(line.publicId, { ...known, ...line });
};

const dropVersion = (lines: Map<string, Line>, line: Line) => {
  if (!isOld(lines.get(line.publicId), line)) lines.delete(line.publicId);
};

/** Changes the parts of the card that an event is about, where the reader may view them. */
const onCard =
  (change: (card: CardCopy, data: Any) => void): Patch =>
  (copy, data) => {
    const card = findCard(copy, data.card.publicId);
    if (card !== undefined) change(card, data);
  };

const checklistOf = ({ checklists }: CardCopy, { checklist }: Any) =>
  checklists.find(({ publicId }) => publicId === checklist.publicId);

/** Puts an item at an index, where the event has one; else it stays where it is. */
function putAt(items: Line[], item: Line, to: { index: number } | undefined): void {
  const at = items.findIndex(({ publicId }) => publicId === item.publicId);
  const known = items[at];
  if (isOld(known, item)) return;
  if (at >= 0) items.splice(at, 1);
  if (at < 0 && to === undefined) return;
  items.splice(to?.index ?? at, 0, { ...known, ...item });
}

const removeItem = (items: Line[], item: Line) => {
  const at = items.findIndex(({ publicId }) => publicId === item.publicId);
  if (at >= 0 && !isOld(items[at], item)) items.splice(at, 1);
};

/** The name of a role is shown with its members. */
function putRole(copy: Copy, role: Line): void {
  if (isOld(copy.roles.get(role.publicId), role)) return;
  put(copy.roles, role);
  for (const member of copy.members.values()) {
    if (member["rolePublicId"] === role.publicId) member["role"] = role["name"];
  }
}

function putMember(copy: Copy, member: Line): void {
  put(copy.members, { ...member, email: null });
  const { publicId, name, image } = member;
  for (const { comments } of cardsOf(copy)) {
    for (const comment of comments.values()) {
      const { author, importedAuthor } = comment;
      if (author?.publicId === publicId) {
        Object.assign(comment, { author: { publicId, name, image }, authorName: name });
      }
      if (importedAuthor?.member?.publicId === publicId) {
        comment["importedAuthor"] = { ...importedAuthor, member: { publicId, name, image } };
      }
    }
  }
}

/** The patches of the parts of cards, by their names in the documentation. */
export const partPatches: Record<string, Patch> = {
  "set the comment": onCard(({ card, comments }, { comment }) => {
    if (comment === undefined) return;
    put(comments, { ...comment, cardPublicId: card.publicId });
  }),
  "drop the comment": onCard(({ comments }, { comment }) => {
    if (comment !== undefined) dropVersion(comments, comment);
  }),
  "set the attachment": onCard(({ card, attachments }, { attachment }) =>
    put(attachments, { ...attachment, cardPublicId: card.publicId }),
  ),
  "drop the attachment": onCard(({ attachments }, { attachment }) =>
    dropVersion(attachments, attachment),
  ),
  "set the checklist": onCard(({ card, checklists }, { checklist, to }) => {
    const index = to ?? { index: checklists.length };
    const known = checklists.some(({ publicId }) => publicId === checklist.publicId);
    putAt(checklists, { ...checklist, cardPublicId: card.publicId }, known ? to : index);
  }),
  "move the checklist": onCard(({ card, checklists }, { checklist, to }) =>
    to?.cardPublicId === card.publicId
      ? putAt(checklists, { ...checklist, cardPublicId: card.publicId }, to)
      : removeItem(checklists, checklist),
  ),
  "move the item": onCard((card, { checklist, checklistItem, to }) => {
    for (const { items } of card.checklists as any[]) removeItem(items, checklistItem);
    putAt(checklistOf(card, { checklist })?.["items"] ?? [], checklistItem, to);
  }),
  "drop the checklist": onCard(({ checklists }, { checklist }) =>
    removeItem(checklists, checklist),
  ),
  "set the item": onCard((card, { checklist, checklistItem, to }) => {
    putAt(checklistOf(card, { checklist })?.["items"] ?? [], checklistItem, to);
  }),
  "drop the item": onCard((card, { checklist, checklistItem }) =>
    removeItem(checklistOf(card, { checklist })?.["items"] ?? [], checklistItem),
  ),
};

/** The patches of the lines of a snapshot, by their names in the documentation. */
export const linePatches: Record<string, Patch> = {
  "replace the workspace": (copy, { workspace }) => {
    if (!isOld(copy.workspace, workspace)) copy.workspace = workspace;
  },
  "set the role": (copy, { role }) => putRole(copy, role),
  "drop the role": (copy, { role }) => dropVersion(copy.roles, role),
  "set the line": (copy, { member }) => {
    if (member !== undefined) putMember(copy, member);
  },
  "drop the line": (copy, { member }) => {
    if (member !== undefined) dropVersion(copy.members, member);
  },
  "set the view": (copy, { view }) => {
    const views = viewsBeside(copy, view);
    if (views !== undefined) put(views, view);
  },
  "drop the view": (copy, { view }) => {
    const views = viewsBeside(copy, view);
    if (views !== undefined) dropVersion(views, view);
  },
  ...partPatches,
  "read the board": boardPatches["read the board"] ?? (() => undefined),
  "remove the board": boardPatches["remove the board"] ?? (() => undefined),
};

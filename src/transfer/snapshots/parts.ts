import { authorsOf } from "../../domain/comments/author.ts";
import { viewAttachment, type AttachmentView } from "../../domain/views/attachments.ts";
import { viewChecklist, viewItem, type ItemView } from "../../domain/views/checklists.ts";
import { viewComment } from "../../domain/views/comments.ts";
import type { SnapshotKind, SnapshotLine } from "../../contract/resources/snapshot.ts";
import type { Comment } from "../../platform/db/rows.ts";
import { paged, pagesOn, type OnCard } from "../exports/pages.ts";
import type { SnapshotWriter } from "./snapshot-writer.ts";
import * as statements from "./statements.ts";

type Card = { id: bigint; publicId: string };
type Text = AsyncGenerator<string>;
type ChecklistLine = SnapshotLine<"checklist">;
type ItemRow = OnCard & { checklistPublicId: string; name: string; checklistVersion: number } & (
    | ItemView
    | { publicId: null }
  );
type AttachmentRow = OnCard & AttachmentView;
type CommentRow = Comment & { cardPublicId: string };

const pageSize = 500;

/** Writes the lines of the selected parts of cards: of each kind, card by card. */
export async function* cardPartLines(reading: SnapshotWriter, cards: Card[]): Text {
  const { source, lines } = reading;
  const shows = (kind: SnapshotKind, isSelected: boolean) => isSelected && lines.shows(kind);
  const { checklists, attachments, comments } = source.parts;
  if (shows("checklist", checklists)) yield* checklistsOf(reading, cards);
  if (shows("attachment", attachments)) yield* attachmentsOf(reading, cards);
  if (shows("comment", comments)) yield* commentsOf(reading, cards);
}

const idsOf = (cards: Card[]) => cards.map(({ id }) => id);
const cardOf = (cards: Card[], { nth }: OnCard): string => cards[Number(nth) - 1]?.publicId ?? "";

/** A checklist has a row for each item, and may go on in the next page. */
async function* checklistsOf({ query, lines }: SnapshotWriter, cards: Card[]): Text {
  let last: ChecklistLine | undefined;
  for await (const rows of pagesOn<ItemRow>(query, statements.checklists, idsOf(cards), [
    "-infinity",
    "-infinity",
  ])) {
    const complete: ChecklistLine[] = [];
    for (const row of rows) {
      const { checklistPublicId: publicId, name, checklistVersion: version } = row;
      if (last?.publicId !== publicId) {
        if (last !== undefined) complete.push(last);
        const cardPublicId = cardOf(cards, row);
        last = { ...viewChecklist({ publicId, name, version }), items: [], cardPublicId };
      }
      if (row.publicId !== null) last.items.push(viewItem(row));
    }
    yield lines.write("checklist", complete);
  }
  if (last !== undefined) yield lines.write("checklist", [last]);
}

async function* attachmentsOf({ query, source, lines }: SnapshotWriter, cards: Card[]): Text {
  const pages = pagesOn<AttachmentRow>(query, statements.attachments, idsOf(cards), [
    "-infinity",
    0n,
  ]);
  for await (const rows of pages) {
    const shown = rows.map((row) => {
      const { kind: attachmentKind, ...attachment } = viewAttachment(row, source.api);
      return { ...attachment, attachmentKind, cardPublicId: cardOf(cards, row) };
    });
    yield lines.write("attachment", shown);
  }
}

async function* commentsOf({ query, source, lines }: SnapshotWriter, cards: Card[]): Text {
  const ids = idsOf(cards);
  const pages = paged<CommentRow, bigint>(
    (after, limit) => query<CommentRow>(statements.comments(ids, after, limit)),
    0n,
    ({ id }) => id,
    pageSize,
  );
  for await (const rows of pages) {
    const authorOf = await authorsOf(query, source.workspace.id, rows);
    const shown = rows.map((row) => ({
      ...viewComment(row, authorOf(row)),
      cardPublicId: row.cardPublicId,
    }));
    yield lines.write("comment", shown);
  }
}

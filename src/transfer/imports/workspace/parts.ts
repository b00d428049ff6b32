import { generateNKeysBetween } from "fractional-indexing";
import { cleanName } from "../../../domain/attachments/filename.ts";
import type { Items } from "../../exports/format.ts";
import { insertRows } from "../bulk/rows.ts";
import { handOver } from "../files.ts";
import type { Kept } from "./files.ts";
import { bringHistory } from "./history.ts";
import { findIn, moment, rowOf, type Making } from "./target.ts";
import { mentioning } from "./ids.ts";

/** A card that is new here, and as the document has it. */
export type On = { id: bigint; card: Items["cards"]; boardPublicId: string };

/** Hangs on new cards what the document has there: checklists, attachments with their `files`, comments, history. */
export async function bringParts(
  making: Making,
  cards: On[],
  files: ReadonlyMap<string, Kept>,
): Promise<void> {
  await bringChecklists(making, cards);
  await bringAttachments(making, cards, files);
  await bringComments(making, cards);
  await bringHistory(making, cards);
}

async function bringChecklists(making: Making, cards: On[]) {
  const { tx, ids, home } = making;
  const lists = cards.flatMap(({ id, card }) => {
    const keys = generateNKeysBetween(null, null, card.checklists.length);
    return card.checklists.map((checklist, place) => ({ id, checklist, position: keys[place] }));
  });
  const rows = await insertRows(
    tx.query,
    "checklists",
    lists.map(({ id, checklist, position = "" }) => ({
      ...rowOf(making, checklist),
      cardId: id,
      name: checklist.name,
      position,
    })),
  );
  const assigned = lists.flatMap(({ checklist }) =>
    checklist.items.flatMap(({ memberPublicId }) => memberPublicId ?? []),
  );
  const members = await findIn(tx.query, "members", home, [...new Set(assigned)].map(ids));
  const items = lists.flatMap(({ checklist }, nth) => {
    const keys = generateNKeysBetween(null, null, checklist.items.length);
    return checklist.items.map((item, place) => {
      const { memberPublicId } = item;
      const memberId = memberPublicId === null ? null : (members.get(ids(memberPublicId)) ?? null);
      return {
        ...rowOf(making, item),
        checklistId: rows[nth]?.id ?? 0n,
        title: item.title,
        position: keys[place] ?? "",
        memberId,
        dueDate: moment(item.dueDate),
        completedAt: moment(item.completedAt),
      };
    });
  });
  await insertRows(tx.query, "checklist_items", items);
}

/** Whether a link leads nowhere that anybody should be led to. */
export const isBadLink = ({ kind, url }: Attachment) =>
  kind === "link" && !/^https?:\/\//i.test(url ?? "");

type Attachment = Items["cards"]["attachments"][number];

async function bringAttachments(making: Making, cards: On[], files: ReadonlyMap<string, Kept>) {
  const { tx } = making;
  const all = cards.flatMap(({ id, card: { attachments } }) =>
    attachments.flatMap((one) =>
      isBadLink(one) ? [] : [{ id, one, file: files.get(one.publicId) }],
    ),
  );
  const rows = await insertRows(
    tx.query,
    "attachments",
    all.map(({ id, one, file }) => {
      const { kind, filename, size, url } = one;
      const said = size === null ? null : BigInt(size);
      return {
        ...rowOf(making, one),
        cardId: id,
        kind,
        status: "stored" as const,
        filename: cleanName(filename),
        contentType: file?.contentType ?? one.contentType,
        size: file === undefined ? said : BigInt(file.size),
        sha256: one.sha256,
        storageKey: file?.storageKey ?? null,
        url: kind === "link" ? url : null,
      };
    }),
  );
  await handOver(
    tx,
    rows.flatMap(({ storageKey }) => storageKey ?? []),
  );
}

async function bringComments(making: Making, cards: On[]) {
  const { tx, ids, mine, run, members } = making;
  const isMember = (id: string) => members.has(id);
  await insertRows(
    tx.query,
    "comments",
    cards.flatMap(({ id, card }) =>
      card.comments.map((comment) => ({
        ...rowOf(making, comment),
        cardId: id,
        comment: mentioning(comment.comment, isMember, ids),
        // Words are put into nobody's mouth: of others only the name comes along.
        createdById:
          mine !== null && comment.author.memberPublicId === mine ? run.row.createdById : null,
        authorName: comment.author.name,
        version: comment.isEdited ? 2 : 1,
      })),
    ),
  );
}

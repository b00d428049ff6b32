import { generateNKeysBetween } from "fractional-indexing";
import { cleanName } from "../../attachments/filename.ts";
import { insertRows } from "../bulk/rows.ts";
import { bringHistory } from "./history.ts";
import { findIn, moment, rowOf, type Making } from "./home.ts";
import { mentioning } from "./ids.ts";
import { notHere } from "./boards.ts";
import type { Portion } from "./plan.ts";

/** A card that is here, and what is to be hung on it. */
export type On = { id: bigint; portion: Portion; boardPublicId: string };

/** Hangs on cards what the document has there: checklists, attachments, comments, history. */
export async function bringParts(making: Making, cards: On[]): Promise<void> {
  await bringChecklists(making, cards);
  await bringAttachments(making, cards);
  await bringComments(making, cards);
  await bringHistory(making, cards);
}

async function bringChecklists(making: Making, cards: On[]) {
  const { work, ids, home, made } = making;
  const lists = cards.flatMap(({ id, portion }) => {
    const keys = generateNKeysBetween(null, null, portion.checklists.length);
    return portion.checklists.map((checklist, place) => ({ id, checklist, position: keys[place] }));
  });
  const rows = await insertRows(
    work.query,
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
  const members = await findIn(work.query, "members", home, [...new Set(assigned)].map(ids));
  const items = lists.flatMap(({ checklist }, nth) => {
    const keys = generateNKeysBetween(null, null, checklist.items.length);
    return checklist.items.map((item, place) => {
      const { memberPublicId } = item;
      const memberId = memberPublicId === null ? null : (members.get(ids(memberPublicId)) ?? null);
      if (memberPublicId !== null && memberId === null) {
        const { publicId: sourceId, title: name } = item;
        made.lose({ kind: "checklistItem", sourceId, name, partly: true, reason: notHere });
      }
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
  await insertRows(work.query, "checklist_items", items);
}

async function bringAttachments(making: Making, cards: On[]) {
  const { made, work } = making;
  const rows = cards.flatMap(({ id, portion }) =>
    portion.attachments.flatMap((attachment) => {
      const { publicId: sourceId, kind, filename: name, url } = attachment;
      if (kind === "link" && !/^https?:\/\//i.test(url ?? "")) {
        made.lose({ kind: "attachment", sourceId, name, reason: "Its address is not of the web." });
        return [];
      }
      return [
        {
          ...rowOf(making, attachment),
          cardId: id,
          kind,
          status: "stored" as const,
          filename: cleanName(name),
          contentType: attachment.contentType,
          size: attachment.size === null ? null : BigInt(attachment.size),
          sha256: attachment.sha256,
          storageKey: null,
          url: kind === "link" ? url : null,
        },
      ];
    }),
  );
  made.add("attachment", "created", rows.length);
  await insertRows(work.query, "attachments", rows);
}

async function bringComments(making: Making, cards: On[]) {
  const { work, ids, home, mine, run, members } = making;
  const isMember = (id: string) => members.has(id);
  const all = cards.flatMap(({ id, portion }) =>
    portion.comments.map((comment) => ({ id, comment })),
  );
  // A new card has none; what is more of a card's may have been brought before.
  const more = cards.filter(({ portion }) => portion.isMore);
  const asked = more.flatMap(({ portion }) => portion.comments.map((one) => ids(one.publicId)));
  const there = await findIn(work.query, "comments", home, asked);
  await insertRows(
    work.query,
    "comments",
    all
      .filter(({ comment }) => !there.has(ids(comment.publicId)))
      .map(({ id, comment }) => ({
        ...rowOf(making, comment),
        cardId: id,
        comment: mentioning(comment.comment, isMember, ids),
        // Words are put into nobody's mouth: of others only the name comes along.
        createdById:
          mine !== null && comment.author.memberPublicId === mine ? run.row.createdById : null,
        authorName: comment.author.name,
        version: comment.isEdited ? 2 : 1,
      })),
  );
}

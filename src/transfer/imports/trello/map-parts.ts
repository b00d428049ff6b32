import { cleanName } from "../../../domain/attachments/filename.ts";
import { addressOf, momentOf, nameOf, shortened, textOf } from "../clean.ts";
import type { SourceAttachment, SourceChecklist, SourceComment, SourceItem } from "../model.ts";
import type { Loss } from "../report.ts";
import { boundName, createdAt } from "./map-board.ts";
import { calledAs, type Around } from "./people.ts";
import {
  TrelloAttachment,
  TrelloItem,
  TrelloMember,
  type Card,
  type Checklist,
  type Comment,
} from "./shapes.ts";

const mostTitle = 500;

/** Checklists in their order; what was `cut` of their items' titles belongs somewhere else. */
export function mapChecklists(checklists: Checklist[], around: Around, lost: Loss[]) {
  const cut: { name: string; title: string }[] = [];
  const lose = (loss: Loss) => void lost.push(loss);
  const mapped = checklists
    .toSorted((one, other) => one.pos - other.pos)
    .map((checklist): SourceChecklist => {
      const name = boundName("checklist", checklist, 255, "Checklist", lose);
      const items = checklist.checkItems
        .map((item) => TrelloItem.parse(item))
        .toSorted((one, other) => one.pos - other.pos)
        .map((item): SourceItem => {
          const id = item.id ?? "";
          const whole = nameOf(item.name);
          const { person, called } = assigned(item.idMember, around);
          const bare = boundName(
            "checklistItem",
            { id, name: whole },
            mostTitle,
            "Untitled item",
            lose,
          );
          if (whole !== null && bare !== whole) cut.push({ name, title: whole });
          const title = called === null ? bare : shortened(`${bare} (${called})`, mostTitle);
          const said = { kind: "checklistItem", sourceId: id, name: bare, partly: true };
          if (called !== null)
            lost.push({ ...said, reason: `${called} is no member here: its title names them.` });
          const dueDate = momentOf(item.due);
          if (dueDate === null && (item.due ?? null) !== null) {
            lost.push({ ...said, reason: "Its due date cannot be understood." });
          }
          return { sourceId: id, title, isComplete: item.state === "complete", dueDate, person };
        });
      return { sourceId: checklist.id, name, items };
    });
  return { mapped, cut };
}

function assigned(id: string | null, { reading, match }: Around) {
  const member = reading.members.get(id ?? "");
  if (id === null) return { person: null, called: null };
  const person = member === undefined ? null : match(member);
  if (person !== null) return { person, called: null };
  return {
    person: null,
    called: member === undefined ? "somebody who has left" : calledAs(member),
  };
}

const mostComment = 20_000;

/** Comments, oldest first, with the name of whoever wrote them. */
export function mapComments(comments: Comment[], { reading, match }: Around, lost: Loss[]) {
  return comments
    .flatMap((comment): SourceComment[] => {
      const { id: sourceId, data, idMemberCreator, memberCreator } = comment;
      const text = textOf(data.text)?.trim() ?? "";
      const name = text.slice(0, 80);
      if (text === "") {
        lost.push({ kind: "comment", sourceId, reason: "It has no text." });
        return [];
      }
      const kept = shortened(text, mostComment);
      if (kept !== text) {
        const reason = "A comment has at most 20,000 characters here: it was cut.";
        lost.push({ kind: "comment", sourceId, name, reason, partly: true });
      }
      const said = TrelloMember.safeParse(memberCreator).data;
      const member = reading.members.get(said?.id ?? idMemberCreator ?? "") ?? said;
      const moment = momentOf(comment.date) ?? createdAt(sourceId);
      const author = member === undefined ? null : match(member);
      const authorName = nameOf(member?.fullName) ?? nameOf(member?.username) ?? "somebody";
      return [
        {
          sourceId,
          comment: kept,
          createdAt: moment,
          author,
          authorName: shortened(authorName, 255),
        },
      ];
    })
    .toSorted((one, other) => ((one.createdAt ?? "") < (other.createdAt ?? "") ? -1 : 1));
}

/** Attachments as links; what was uploaded to Trello may be fetched later. */
export function mapAttachments({ id: card, attachments, name: title }: Card, lost: Loss[]) {
  return attachments.flatMap((attachment): SourceAttachment[] => {
    const { id, name, fileName, url: raw, date, isUpload } = TrelloAttachment.parse(attachment);
    const sourceId = id ?? card;
    const url = addressOf(raw);
    const given = nameOf(name) ?? nameOf(fileName) ?? url;
    if (url === null) {
      const reason = "Its address is none of the web.";
      lost.push({
        kind: "attachment",
        sourceId,
        name: (given ?? nameOf(title))?.slice(0, 255),
        reason,
      });
      return [];
    }
    const filename = isUpload ? cleanName(given ?? "file") : shortened(given ?? url, 255);
    const made = momentOf(date) ?? createdAt(sourceId);
    const upload = isUpload ? { card, fileName: nameOf(fileName) ?? filename } : undefined;
    return [{ sourceId, filename, url, createdAt: made, upload }];
  });
}

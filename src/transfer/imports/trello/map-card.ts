import { momentOf, nameOf, shortened, textOf } from "../clean.ts";
import type { SourceCard } from "../model.ts";
import type { Loss } from "../report.ts";
import { createdAt } from "./map-board.ts";
import { mapAttachments, mapChecklists, mapComments } from "./map-parts.ts";
import { losses } from "./skipped.ts";
import { idsOf, peopleOf, type Around } from "./people.ts";
import type { Reading } from "./reading.ts";
import type { Card, Checklist, Comment } from "./shapes.ts";

/** A card as it was put aside, with what belongs to it. */
export type Raw = { card: Card; checklists: Checklist[]; comments: Comment[] };

const mostDescription = 100_000;

/** A card of Trello's in our terms; what does not come over whole is among its losses. */
export function mapCard({ card, ...raw }: Raw, around: Around): SourceCard {
  const lost: Loss[] = [];
  const whole = nameOf(card.name);
  const title = shortened(whole ?? "Untitled card", 2_000).trim();
  const lose = (reason: string) =>
    lost.push({ kind: "card", sourceId: card.id, name: title.slice(0, 255), reason, partly: true });
  if (whole === null) lose("It had no name.");
  const added: string[] = [];
  if (whole !== null && title !== whole) {
    added.push(`The whole title: ${whole}`);
    lose("A title has at most 2,000 characters here: the whole one stands in the description.");
  }
  const moment = (field: "due" | "start", value: unknown) => {
    const read = momentOf(value);
    if (read === null && (value ?? null) !== null) lose(`Its ${field} date cannot be understood.`);
    return read;
  };
  const { people, unknown } = peopleOf(card, around);
  if (unknown.length > 0)
    added.push(`Members at Trello: ${unknown.map(({ name }) => name).join(", ")}`);
  for (const { id, name } of unknown) {
    const reason = `They are no member here: “${title.slice(0, 255)}” names them in its description.`;
    lost.push({ kind: "cardMember", sourceId: id, name, reason });
  }
  const parts = {
    checklists: mapChecklists(raw.checklists, around, lost),
    comments: mapComments(raw.comments, around, lost),
    attachments: mapAttachments(card, lost),
  };
  for (const cut of parts.checklists.cut) added.push(`${cut.name}: ${cut.title}`);
  const text = textOf(card.desc) ?? "";
  if (text === "" && (card.desc ?? "") !== "") lose("Its description is no text.");
  const description = [text, ...added].filter((one) => one !== "").join("\n\n");
  if (description !== shortened(description, mostDescription)) {
    lose("A description has at most 100,000 characters here: it was cut.");
  }
  lost.push(...losses(card, title, around.reading));
  const labels = labelsOf(card, around.reading);
  for (const id of labels.unknown) {
    const reason = `The label is not in the source, but on “${title.slice(0, 255)}”.`;
    lost.push({ kind: "cardLabel", sourceId: id, reason });
  }
  return {
    sourceId: card.id,
    listId: card.idList ?? "",
    title,
    description: shortened(description, mostDescription) || null,
    startDate: moment("start", card.start),
    dueDate: moment("due", card.due),
    isComplete:
      card.dueComplete === true || ((card.dueComplete ?? null) === null && card.badges.dueComplete),
    isArchived: card.closed,
    createdAt: createdAt(card.id),
    labelIds: labels.known,
    people,
    ...parts,
    checklists: parts.checklists.mapped,
    lost,
  };
}

function labelsOf({ idLabels, labels }: Card, reading: Reading) {
  const there = reading.labels;
  const ids = idsOf(idLabels, labels);
  return { known: ids.filter((id) => there.has(id)), unknown: ids.filter((id) => !there.has(id)) };
}

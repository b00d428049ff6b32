import type { Permission } from "../../../contract/vocabulary/permissions.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./model.ts";
import type { ImportStep } from "./step.ts";
import { partsOf } from "./written-card.ts";

/** The reason for what the starter of an import may not write. */
export const notHeld = (permission: Permission) =>
  `The starter of the import does not hold ${permission}.`;

/** Skips the new parts of a card that the starter may not edit; comments follow their own rule. */
export function skipNewParts({ report }: ImportStep, card: SourceCard, known: LookUp): void {
  const reason = notHeld("card:edit");
  for (const part of partsOf(card)) {
    if (part.kind === "comment" || known(part.kind, part.sourceId) !== undefined) continue;
    report.skip({ ...part, name: card.title, reason });
  }
  const isKnown =
    (kind: "checklist" | "checklistItem" | "attachment") => (one: { sourceId: string }) =>
      known(kind, one.sourceId) !== undefined;
  card.attachments = card.attachments.filter(isKnown("attachment"));
  card.checklists = card.checklists.filter(isKnown("checklist"));
  for (const checklist of card.checklists)
    checklist.items = checklist.items.filter(isKnown("checklistItem"));
}

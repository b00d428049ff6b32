import type { cardParts } from "../../../contract/resources/card-parts.ts";
import { attachments } from "./attachments.ts";
import { checklists } from "./checklists.ts";
import { comments } from "./comments.ts";
import type { SourceRef } from "./identity.ts";
import { fields } from "./custom-fields.ts";
import { labels } from "./labels.ts";
import { relations } from "./relations.ts";
import { members } from "./members.ts";
import type { SourceCard } from "./source.ts";
import type { ImportedPart } from "./step.ts";

const parts: Record<keyof typeof cardParts, ImportedPart> = {
  labels,
  members,
  checklists,
  comments,
  attachments,
  fields,
  relations,
};

/** How imports write what hangs on a card. */
export const importedParts = Object.values(parts);

/** What of its board a card names: it is found by its source id. */
export const namedBy = (card: SourceCard): SourceRef[] =>
  importedParts.flatMap(({ names }) => names?.(card) ?? []);

/** Everything on a card that is found by its source id. */
export const sourceParts = (card: SourceCard): SourceRef[] =>
  importedParts.flatMap(({ refs }) => refs?.(card) ?? []);

import { z } from "zod";
import { nameOf } from "../../../platform/foreign-text.ts";
import type { SkipOnCard } from "../write/limits.ts";
import type { TrelloCard } from "../../integrations/trello/shapes.ts";

const Cover = z.record(z.string(), z.unknown()).catch({});
const coverFields = ["color", "idAttachment", "idUploadedBackground", "sharedSourceUrl"];

const asCard = { severity: "partial" } as const;

/** Reports the features of a card at Trello that this service does not have. */
export function skipFeatures(card: TrelloCard, skip: SkipOnCard): void {
  if (card.isTemplate)
    skip("template", "It was a template card. Here it is an ordinary card.", asCard);
  if (nameOf(card.mirrorSourceId) !== null)
    skip("mirror", "It mirrored another card. Here it is an independent card.", asCard);
  if (Number(card.dueReminder ?? -1) >= 0) skip("reminder", "Reminders are not supported.");
  if (hasCover(card)) skip("cover", "Covers are not supported.");
  const counts: [kind: string, reason: string, count: number][] = [
    ["sticker", "Stickers are not supported.", card.stickers.length],
    ["vote", "Votes are not supported.", Math.max(card.idMembersVoted.length, card.badges.votes)],
    ["powerUp", "Data of power-ups stays at Trello.", card.pluginData.length],
  ];
  for (const [kind, reason, count] of counts) if (count > 0) skip(kind, reason, { count });
  const location = nameOf(card.address) ?? nameOf(card.locationName);
  if (location !== null)
    skip("location", "Locations are not supported.", { detail: location.slice(0, 500) });
}

function hasCover({ cover, idAttachmentCover }: TrelloCard): boolean {
  const fields = Cover.parse(cover);
  const covers = [idAttachmentCover, ...coverFields.map((name) => fields[name])];
  return covers.some((value) => nameOf(value) !== null);
}

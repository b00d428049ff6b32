import { z } from "zod";
import { nameOf, textOf } from "../../../platform/foreign-text.ts";
import type { SkipOnCard } from "../write/limits.ts";
import type { BoardReader } from "./board-reader.ts";
import type { TrelloCard } from "../../integrations/trello/shapes.ts";

const Value = z.object({
  id: z.string().optional().catch(undefined),
  idCustomField: z.string().optional().catch(undefined),
  idValue: z.string().nullish().catch(null),
  value: z.record(z.string(), z.unknown()).nullish().catch(null),
});
const Cover = z.record(z.string(), z.unknown()).catch({});
const coverFields = ["color", "idAttachment", "idUploadedBackground", "sharedSourceUrl"];

const asCard = { severity: "partial" } as const;

/** Reports the features of a card at Trello that this service does not have. */
export function skipFeatures(card: TrelloCard, reader: BoardReader, skip: SkipOnCard): void {
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
  for (const item of card.customFieldItems) {
    const { id, ...value } = Value.safeParse(item).data ?? {};
    const more = { sourceId: id ?? card.id, detail: valueOf(value, reader) };
    skip("customFieldValue", "Custom fields are not imported.", more);
  }
}

function hasCover({ cover, idAttachmentCover }: TrelloCard): boolean {
  const fields = Cover.parse(cover);
  const shown = [idAttachmentCover, ...coverFields.map((name) => fields[name])];
  return shown.some((one) => nameOf(one) !== null);
}

/** The value of a custom field for people: `Priority: High`. */
function valueOf(
  { idCustomField, idValue, value }: z.infer<typeof Value>,
  reader: BoardReader,
): string {
  const field = reader.customFields.get(idCustomField ?? "");
  const option = field?.options.find(({ id }) => id === idValue);
  const [plain] = Object.values(value ?? {});
  const shown = textOf(option?.value.text ?? plain) ?? "";
  return `${nameOf(field?.name) ?? "a field without a name"}: ${shown.slice(0, 500)}`;
}

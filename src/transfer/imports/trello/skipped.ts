import { z } from "zod";
import { nameOf, textOf } from "../clean.ts";
import type { Loss } from "../report.ts";
import type { Reading } from "./reading.ts";
import type { Card } from "./shapes.ts";

const Value = z.object({
  id: z.string().optional().catch(undefined),
  idCustomField: z.string().optional().catch(undefined),
  idValue: z.string().nullish().catch(null),
  value: z.record(z.string(), z.unknown()).nullish().catch(null),
});
const Cover = z.object({
  color: z.unknown().optional(),
  idAttachment: z.unknown().optional(),
  idUploadedBackground: z.unknown().optional(),
  sharedSourceUrl: z.unknown().optional(),
});

/** What a card of Trello's has that there is no place for here, named one by one. */
export function losses(card: Card, title: string, reading: Reading): Loss[] {
  const on = title.slice(0, 255);
  const lost = (kind: string, reason: string, more: Partial<Loss> = {}): Loss => ({
    kind,
    sourceId: card.id,
    name: on,
    reason,
    ...more,
  });
  const all: Loss[] = [];
  const link = nameOf(card.shortLink);
  if (link !== null) {
    all.push(
      lost("shortLink", `https://trello.com/c/${link} goes on leading to Trello.`, {
        sourceId: link,
      }),
    );
  }
  if (hasCover(card)) all.push(lost("cover", "There are no covers here."));
  if (card.stickers.length > 0) {
    all.push(lost("sticker", "There are no stickers here.", { count: card.stickers.length }));
  }
  const votes = Math.max(card.idMembersVoted.length, card.badges.votes);
  if (votes > 0) all.push(lost("vote", "There are no votes here.", { count: votes }));
  if (card.pluginData.length > 0) {
    all.push(
      lost("powerUp", "What power-ups keep stays at Trello.", { count: card.pluginData.length }),
    );
  }
  const place = nameOf(card.address) ?? nameOf(card.locationName);
  if (place !== null)
    all.push(lost("location", `There are no places here: ${place.slice(0, 500)}`));
  for (const item of card.customFieldItems) {
    const { id, ...value } = Value.safeParse(item).data ?? {};
    const reason = `There are no custom fields here: ${valueOf(value, reading)}`;
    all.push(lost("customFieldValue", reason, { sourceId: id ?? card.id }));
  }
  return all;
}

function hasCover({ cover, idAttachmentCover }: Card): boolean {
  const { color, idAttachment, idUploadedBackground, sharedSourceUrl } =
    Cover.safeParse(cover).data ?? {};
  return [color, idAttachment, idUploadedBackground, sharedSourceUrl, idAttachmentCover].some(
    (one) => nameOf(one) !== null,
  );
}

/** A value of a custom field as people read it: `Priority: High`. */
function valueOf(
  { idCustomField, idValue, value }: z.infer<typeof Value>,
  reading: Reading,
): string {
  const field = reading.customFields.get(idCustomField ?? "");
  const option = field?.options.find(({ id }) => id === idValue);
  const [plain] = Object.values(value ?? {});
  const shown = textOf(option?.value.text ?? plain) ?? "";
  return `${nameOf(field?.name) ?? "a field without a name"}: ${shown.slice(0, 500)}`;
}

import { z } from "zod";
import type { Card } from "../../contract/resources/cards.ts";
import type { Checklist } from "../../contract/resources/checklists.ts";
import type { Attachment } from "../../contract/resources/attachments.ts";
import type { Member } from "../../contract/resources/members.ts";

/** An answer whose fields are passed on unchecked. */
export const Anything = z.looseObject({});

/** The id and name of a resource. */
export const nameRefOf = ({ publicId, name }: { publicId: string; name: string }) => {
  return { publicId, name };
};

/** The number of a card: `ENG-12` is 12. */
export const numberOf = (cardNumber: string): number => Number(cardNumber.split("-").at(-1));

/** A person, with the id of the member: accounts have no ids that others may see. */
export const personOf = (
  { publicId, name, image = null }: { publicId: string; name: string; image?: string | null },
  email?: string | null,
) => ({ id: publicId, name, email: email ?? "", image });

/** A member of a workspace. An address that the caller may not see is empty. */
export const memberOf = (member: z.infer<typeof Member>) => {
  const { publicId, email, role, status, createdAt } = member;
  return { publicId, email: email ?? "", role, status, createdAt, user: personOf(member, email) };
};

/** The addresses of members by their ids. */
export type Addresses = ReadonlyMap<string, string | null>;

/** The member that a card is assigned to. */
export const assigneeOf =
  (addresses: Addresses) => (member: { publicId: string; name: string; image: string | null }) => {
    const email = addresses.get(member.publicId);
    return { publicId: member.publicId, email: email ?? "", user: personOf(member, email) };
  };

type AnyChecklist = Omit<z.infer<typeof Checklist>, "itemCount">;

/** A checklist with its items, in order. */
export const checklistOf = ({ publicId, name, items }: AnyChecklist, index: number) => ({
  publicId,
  name,
  index,
  items: items.map((item, nth) => ({
    publicId: item.publicId,
    title: item.title,
    completed: item.isComplete,
    index: nth,
  })),
});

/** A file or link of a card. `s3Key` is the id that confirms an upload. */
export const attachmentOf = (attachment: z.infer<typeof Attachment>) => {
  const { publicId, contentType, filename, size, url, createdAt } = attachment;
  return {
    publicId,
    contentType,
    s3Key: publicId,
    filename,
    originalFilename: filename,
    size,
    url,
    createdAt,
  };
};

/** A card that was written: our fields, with its number as an integer. */
export const writtenCard = (card: z.infer<typeof Card>) => ({
  ...card,
  cardNumber: numberOf(card.cardNumber),
});

import type { Attachment, Card } from "../db/rows.ts";
import type { Reader } from "../db/database.ts";
import { publicId } from "../db/public-id.ts";
import type { Deps } from "../deps.ts";
import { newKey } from "../files/store.ts";

type From = { card: Card; deps: Deps; db: Reader };
type Copied = Omit<
  Attachment,
  "id" | "cardId" | "createdAt" | "updatedAt" | "deletedAt" | "version"
>;

/** Copies the files of a card's attachments; answers the rows to be, with keys of their own. */
export async function copyFiles({ card, deps, db }: From): Promise<Copied[]> {
  const rows = await db.attachment.findMany({
    where: { cardId: card.id, deletedAt: null, status: "stored" },
    orderBy: { id: "asc" },
  });
  const copies: Copied[] = [];
  for (const {
    id: _,
    cardId: _card,
    createdAt: _c,
    updatedAt: _u,
    deletedAt: _d,
    version: _v,
    ...row
  } of rows) {
    const storageKey = row.storageKey === null ? null : newKey();
    if (row.storageKey !== null && storageKey !== null)
      await deps.files.copy(row.storageKey, storageKey);
    copies.push({ ...row, publicId: publicId(), storageKey });
  }
  return copies;
}

/** Removes files that were copied for a card which did not come about. */
export async function dropFiles({ deps }: Pick<From, "deps">, copies: Copied[]): Promise<void> {
  for (const { storageKey } of copies) if (storageKey !== null) await deps.files.remove(storageKey);
}

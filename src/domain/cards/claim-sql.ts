import { memberName } from "../../kernel/access/member-name.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { isoText } from "../../platform/db/iso-text.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Card } from "../../platform/db/rows.ts";

/** SQL: the claim of a card of a table with an alias, as answers show it. */
const claimIn = (card: Sql) => sql`CASE WHEN ${card}."claimedById" IS NOT NULL THEN (
  SELECT json_build_object(
    'member', json_build_object('publicId', m."publicId", 'name', ${memberName}, 'image', u.image),
    'expiresAt', ${isoText(sql`${card}."claimExpiresAt"`)})
  FROM members m LEFT JOIN users u ON u.id = m."userId"
  WHERE m.id = ${card}."claimedById" AND m.status <> 'removed') END`;

/** SQL: the claim of the card `c`. */
export const claimOf = claimIn(sql`c`);

/** SQL: the claim of the target of a call. */
export const claimOfTarget = claimIn(sql`card`);

type Row = Pick<Card, "claimedById" | "claimExpiresAt">;

/** Whether a claim holds the card, and whether it is a member's own. */
export const claimState = (
  { claimedById, claimExpiresAt }: Row,
  memberId: bigint,
  now: Date,
): { isLive: boolean; isOwn: boolean } => ({
  isLive: claimedById !== null && claimExpiresAt !== null && claimExpiresAt > now,
  isOwn: claimedById === memberId,
});

/** The member who has or had a claim, as events show them. */
export type Claimer = { publicId: string; name: string; image: string | null };

/** Reads a member as events show the holder of a claim. */
export async function claimer({ query }: Pick<UnitOfWork, "query">, id: bigint): Promise<Claimer> {
  const [member] = await query<Claimer>(sql`SELECT m."publicId", ${memberName} AS name, u.image
    FROM members m LEFT JOIN users u ON u.id = m."userId" WHERE m.id = ${id}`);
  if (member === undefined) throw new Error("The member of a claim does not exist.");
  return member;
}

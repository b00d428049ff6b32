import { nanoid } from "nanoid";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Invite } from "../../platform/db/rows.ts";

type SealDeps = Pick<Deps, "seal">;

/** The length of an invite code, in characters of 6 bits. */
const codeLength = 24;
const batch = 500;

const purpose = (invitePublicId: string) => `code of invite ${invitePublicId}`;

/** A new invite code, with the column by which it is found. */
export function newCode(): { code: string; codeHash: string } {
  const code = nanoid(codeLength);
  return { code, codeHash: fingerprint(code) };
}

/** The filter that finds an invite by its code. */
export const byCode = (code: string) => ({ codeHash: fingerprint(code) });

/** Seals the code of a link, which those who may invite can read again. */
export const sealCode = ({ seal }: SealDeps, invitePublicId: string, code: string) =>
  seal.seal(purpose(invitePublicId), code);

/** The code of a link. */
export const openCode = (
  { seal }: SealDeps,
  { publicId, sealedCode }: Pick<Invite, "publicId" | "sealedCode">,
): string => (sealedCode === null ? "" : seal.open(purpose(publicId), sealedCode));

/** Seals the codes of links from versions that stored them in plain text. */
export async function sealCodes({ db, seal }: Pick<Deps, "db" | "seal">): Promise<void> {
  for (;;) {
    const rows = await db.read<{ id: bigint; publicId: string; code: string }>(sql`
      SELECT id, "publicId", "sealedCode" AS code FROM invites
      WHERE "sealedCode" NOT LIKE 'v1.%' LIMIT ${batch}`);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const sealed = rows.map(({ publicId, code }) => sealCode({ seal }, publicId, code));
    await db.write(sql`UPDATE invites SET "sealedCode" = s.sealed
      FROM unnest(${ids}::bigint[], ${sealed}::text[]) AS s(id, sealed)
      WHERE invites.id = s.id AND "sealedCode" NOT LIKE 'v1.%'`);
  }
}

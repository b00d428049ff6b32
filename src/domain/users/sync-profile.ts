import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { IssuerProfile } from "../../kernel/access/identity-claims.ts";
import { persistEvents } from "../../kernel/events/persist.ts";
import { runInTransaction } from "../../kernel/events/transaction.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";

const maxSubjects = 10_000;

const Stored = z
  .object({ name: z.string(), picture: z.string(), issuedAt: z.number() })
  .partial()
  .nullable();

/** Updates accounts from the tokens of the issuer: each token is compared once. */
export function createProfileSync(): Deps["syncProfile"] {
  /** When the newest token of a subject was issued. */
  const followed = new LRUCache<string, number>({ max: maxSubjects });
  return async (deps, { issuer, subject, profile }) => {
    const key = JSON.stringify([issuer, subject]);
    const { issuedAt } = profile;
    if (issuedAt <= (followed.get(key) ?? -1)) return;
    const isSubject = sql`issuer = ${issuer} AND subject = ${subject} AND "deletedAt" IS NULL`;
    const [user] = await deps.db.read<User>(sql`SELECT * FROM users WHERE ${isSubject}`);
    if (user === undefined) return;
    // Set before the transaction: the other calls of the moment do not wait for it.
    followed.set(key, issuedAt);
    if (changesOf(user, profile) === undefined) return;
    try {
      await runInTransaction(deps, ["member.updated"], async (tx: UnitOfWork<"member.updated">) => {
        const [locked] = await tx.query<User>(
          sql`SELECT * FROM users WHERE ${isSubject} FOR NO KEY UPDATE`,
        );
        if (locked !== undefined) await applyProfile(tx, locked, profile);
      });
    } catch (error) {
      followed.delete(key);
      deps.log.warn({ err: error, user: user.publicId }, "following the issuer's profile failed");
    }
  };
}

async function applyProfile(tx: UnitOfWork<"member.updated">, user: User, profile: IssuerProfile) {
  const changes = changesOf(user, profile);
  if (changes === undefined) return;
  const { shown, issuerProfile } = changes;
  const isShown = Object.keys(shown).length > 0;
  const { id, publicId } = user;
  const after = await tx.prisma.user.update({
    where: { id },
    data: {
      ...shown,
      issuerProfile,
      ...(isShown ? { version: { increment: 1 }, updatedAt: tx.now } : {}),
    },
  });
  if (!isShown) return;
  await emitMemberUpdates(tx, id);
  const actor = { type: "user", userId: id, publicId, name: after.name } as const;
  await persistEvents(tx, { ...actor, credential: "issuer" }, null);
}

/**
 * What a token changes of an account; undefined for nothing.
 *
 * A claim that is the same as before changes nothing: the user may have set another name here.
 * The first token of an account that existed before adds only a missing picture.
 */
function changesOf({ name, image, issuerProfile }: User, { issuedAt, ...claims }: IssuerProfile) {
  const previous = Stored.parse(issuerProfile);
  const shown: { name?: string; image?: string } = {};
  const next = { ...previous, ...claims, issuedAt };
  if (previous === null) {
    if (image === null && claims.picture !== undefined) shown.image = claims.picture;
    return { shown, issuerProfile: next };
  }
  if (issuedAt < (previous.issuedAt ?? 0)) return undefined;
  const { name: newName = name, picture = image } = claims;
  const isSame = next.name === previous.name && next.picture === previous.picture;
  if (isSame) return undefined;
  if (next.name !== previous.name && newName !== name) shown.name = newName;
  if (next.picture !== previous.picture && picture !== null && picture !== image) {
    shown.image = picture;
  }
  return { shown, issuerProfile: next };
}

/** Publishes the change of a user in every workspace that shows the user as a member. */
export async function emitMemberUpdates(
  tx: UnitOfWork<"member.updated">,
  userId: bigint,
): Promise<void> {
  const members = await tx.prisma.member.updateManyAndReturn({
    where: { userId, status: { not: "removed" } },
    data: { version: { increment: 1 }, updatedAt: tx.now },
    select: { ...memberSelect, workspaceId: true },
  });
  for (const { workspaceId, ...member } of members) {
    const data = { memberPublicId: member.publicId, member: showMember(member, false) };
    tx.emitIn(workspaceId, "member.updated", data);
  }
}

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Moment } from "../../contract/vocabulary/texts.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Context } from "../../kernel/request/context.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { confirmOwner, mailOwner } from "../auth/confirm-owner.ts";
import { checkKeyCount, endOfKey } from "../auth/insert-key.ts";
import { resolveScope } from "../auth/key-scope.ts";
import { Password } from "../auth/password.ts";
import { forbiddenIn } from "./describe.ts";
import type { Target } from "./request.ts";

/** What a person decides about an app. */
export const decisionFields = {
  allow: z.boolean().meta({ description: "Whether the caller allows it.", examples: [true] }),
  workspacePublicId: inputId("workspace", "Limits the app to a workspace.").optional(),
  boardPublicId: inputId("board", "Limits the app to a board.").optional(),
  readOnly: z.boolean().default(false).meta({ description: "Whether the app may only read." }),
  expiresAt: Moment.meta({
    description: "When the connection ends. By default it lasts while the app uses it.",
    examples: ["2099-12-31T23:00:00.000Z"],
  }).optional(),
  password: Password.optional().meta({
    examples: ["correct horse battery staple"],
    description: "Required to allow everything: without a workspace and a board.",
  }),
};

type Decision = z.output<z.ZodObject<typeof decisionFields>>;
type Scope = Awaited<ReturnType<typeof resolveScope>>;

/** An app that is allowed: what it gets, under which name, and when the grant ends without tokens. */
type NewGrant = { appId: bigint; name: string; target: Target; expiresAt: Date };

/**
 * Confirms that the caller may connect an app. The returned function stores the grant, in the
 * transaction that stores what the app gets its tokens with; it answers the id of the grant's row.
 */
export async function confirmConnection(
  ctx: Context & { caller: Caller; db: DatabaseReader },
  decision: Decision,
): Promise<(tx: UnitOfWork, grant: NewGrant) => Promise<bigint>> {
  const { caller, deps } = ctx;
  const { workspacePublicId, boardPublicId, password } = decision;
  const isUnrestricted = workspacePublicId === undefined && boardPublicId === undefined;
  const confirm = await confirmOwner(ctx, { isUnrestricted, password });
  return async (tx, grant) => {
    const scope = await resolveScope(tx, ctx, { workspacePublicId, boardPublicId });
    await confirm(tx);
    await checkAllowed(tx, caller.userId, grant.appId, scope);
    await checkKeyCount(tx, caller.userId);
    const id = await insertGrant(tx, caller.userId, { ...grant, decision, scope });
    const sentence = `The app ${grant.name} was connected to your account.`;
    await mailOwner(tx, deps, caller, { subject: "An app was connected", sentence });
    return id;
  };
}

/** Refuses an app that is gone, or that a workspace in reach of the grant forbids. */
async function checkAllowed(
  { query }: UnitOfWork,
  userId: bigint,
  appId: bigint,
  { workspaceId }: Scope,
): Promise<void> {
  // Without the lock the app could be purged before its grant is there.
  const rows = await query(sql`SELECT 1 FROM apps WHERE id = ${appId} FOR KEY SHARE`);
  if (rows.length === 0) throw badRequest("app_unknown", "The app must register again.");
  const forbidding = await forbiddenIn(query, userId, appId);
  const inReach = forbidding.filter(({ id }) => workspaceId === null || workspaceId === id);
  if (inReach.length === 0) return;
  throw badRequest(
    "app_forbidden",
    workspaceId === null
      ? "A workspace of yours forbids the app. Allow it another workspace, or a board."
      : "The workspace forbids the app.",
  );
}

/** Stores a grant. It ends with its code, unless the app comes for its tokens. */
async function insertGrant(
  tx: UnitOfWork,
  userId: bigint,
  {
    appId,
    name,
    target,
    expiresAt,
    decision,
    scope,
  }: NewGrant & { decision: Decision; scope: Scope },
): Promise<bigint> {
  const { id } = await tx.prisma.apiKey.create({
    data: {
      publicId: publicId(),
      userId,
      appId,
      resource: target.resource,
      name,
      // The hash of no secret: only tokens name the grant.
      keyHash: fingerprint(randomBytes(32).toString("base64url")),
      prefix: "",
      ...scope,
      readOnly: decision.readOnly || !target.mayWrite,
      createdAt: tx.now,
      expiresAt,
      endsAt: endOfKey(tx, decision),
    },
  });
  return id;
}

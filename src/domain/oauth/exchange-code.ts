import { createHash } from "node:crypto";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Context } from "../../kernel/request/context.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { countUser } from "../auth/login.ts";
import {
  checkResource,
  endGrant,
  firstToken,
  grantOf,
  invalidGrant,
  type Grant,
  type Issued,
} from "./grants.ts";

type Input = {
  clientId: string;
  code?: string | undefined;
  redirectUri?: string | undefined;
  codeVerifier?: string | undefined;
  resource?: string | undefined;
};
type Row = Grant & {
  id: bigint;
  usedAt: Date | null;
  expiresAt: Date;
  redirectUri: string;
  challenge: string;
};

const columns = sql`t.id, t."usedAt", t."expiresAt", t."redirectUri", t.challenge`;

/**
 * Exchanges a code for a refresh token. One that was used was copied: it ends the grant, and there is
 * no token.
 */
export async function exchangeCode(
  tx: UnitOfWork,
  ctx: Context,
  { clientId, code, redirectUri, codeVerifier, resource }: Input,
): Promise<Issued> {
  if (code === undefined) throw badRequest("required", "The code is required.", ["code"]);
  const isIt = sql`t."codeHash" = ${fingerprint(code)}`;
  const [row] = await tx.query<Row>(grantOf("app_codes", isIt, columns, tx.now));
  if (row === undefined || row.clientId !== clientId) throw unknown();
  if (row.usedAt !== null) {
    await endGrant(tx, row);
    return { grant: row, refreshToken: undefined };
  }
  if (row.expiresAt <= tx.now) throw unknown();
  if (row.redirectUri !== redirectUri) {
    throw invalidGrant("redirect_uri is not the one of the request.");
  }
  if (!isVerified(codeVerifier, row.challenge)) throw invalidGrant("code_verifier is wrong.");
  checkResource(ctx, resource, row);
  // A refusal comes before the code is used.
  await ctx.prove?.(() => countUser(ctx.deps, row.user));
  await tx.prisma.appCode.update({ where: { id: row.id }, data: { usedAt: tx.now } });
  return firstToken(tx, row);
}

const unknown = () => invalidGrant("The code is invalid, has expired, or belongs to another app.");

/** Whether a verifier is the one of a challenge (RFC 7636, S256). */
const isVerified = (verifier: string | undefined, challenge: string) =>
  verifier !== undefined &&
  /^[\w.~-]{43,128}$/.test(verifier) &&
  createHash("sha256").update(verifier).digest("base64url") === challenge;

import { scopeText } from "../../contract/vocabulary/oauth.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Context } from "../../kernel/request/context.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { countUser } from "../auth/login.ts";
import { rotate, type StoredToken, type TokenStore } from "../auth/rotate.ts";
import {
  checkResource,
  endGrant,
  grantOf,
  invalidGrant,
  prolong,
  type Grant,
  type Issued,
} from "./grants.ts";
import { knownScopes } from "./request.ts";

/** How long a refresh may be repeated, in ms. Hosts of agents refresh from several machines. */
const graceMs = 120_000;

type Input = {
  clientId: string;
  refreshToken?: string | undefined;
  scope?: string | undefined;
  resource?: string | undefined;
};
type Row = Grant & StoredToken;

/**
 * Exchanges a refresh token of an app for the next one. One that was used before the grace period was
 * copied: it ends the grant, and there is no next one.
 */
export async function refreshGrant(
  tx: UnitOfWork,
  ctx: Context,
  { clientId, refreshToken: token, scope, resource }: Input,
): Promise<Issued> {
  if (token === undefined) {
    throw badRequest("required", "The refresh_token is required.", ["refreshToken"]);
  }
  const isIt = sql`t."tokenHash" = ${fingerprint(token)}`;
  const columns = sql`t.id, t."spentAt"`;
  const [row] = await tx.query<Row>(grantOf("app_refresh_tokens", isIt, columns, tx.now));
  if (row === undefined || row.clientId !== clientId) {
    throw invalidGrant("The refresh token is invalid, has expired, or belongs to another app.");
  }
  checkScope(scope, row);
  checkResource(ctx, resource, row);
  // A refusal comes before the token is used.
  await ctx.prove?.(() => countUser(ctx.deps, row.user));
  const { successors } = ctx.deps.tokens;
  const rotation = { token, row, now: tx.now, graceMs, successors };
  const refreshToken = await rotate(storeOf(tx, row), rotation);
  if (refreshToken === undefined) await endGrant(tx, row);
  return { grant: row, refreshToken };
}

const storeOf = (tx: UnitOfWork, grant: Grant): TokenStore => ({
  find: (tokenHash) => tx.prisma.appRefreshToken.findUnique({ where: { tokenHash } }),
  async replace({ id }, tokenHash) {
    await tx.prisma.appRefreshToken.update({ where: { id }, data: { spentAt: tx.now } });
    await tx.prisma.appRefreshToken.create({
      data: { keyId: grant.keyId, tokenHash, createdAt: tx.now },
    });
    await prolong(tx, grant);
  },
});

/** Refuses scopes beyond those of the grant. Unknown ones are left out, as when it was asked for. */
function checkScope(scope: string | undefined, { readOnly }: Grant): void {
  if (scope === undefined) return;
  const granted = scopeText(readOnly).split(" ");
  if (knownScopes(scope).every((known) => granted.includes(known))) return;
  throw badRequest("invalid_scope", `The app was granted ${granted.join(" ")}.`, ["scope"]);
}

import type { Deps } from "../../kernel/request/deps.ts";
import type { Query } from "../../platform/db/query.ts";
import { unavailable } from "../../platform/errors.ts";
import { notConnected } from "./github/response.ts";
import { refreshGitHubGrant, type GitHubGrant } from "./github/grant.ts";
import { githubApp, sealedFor } from "./state.ts";

/** A token that expires sooner is renewed before it is used. */
const marginMs = 60_000;

/**
 * Stores the grant of a user, encrypted; `account` is their login at GitHub.
 *
 * `check` runs first in the same transaction, and throws when the grant must not be stored.
 */
export async function saveGrant(
  deps: Deps,
  userId: bigint,
  grant: GitHubGrant,
  account: string,
  check: (query: Query) => Promise<void> = async () => undefined,
) {
  const row = { ...sealed(deps, userId, grant), account };
  await deps.db.transact(async (prisma, query) => {
    await check(query);
    await prisma.integration.upsert({
      where: { userId_provider: { userId, provider: "github" } },
      create: { ...row, userId, provider: "github", createdAt: row.updatedAt },
      update: row,
    });
  });
}

function sealed({ seal, clock }: Deps, userId: bigint, grant: GitHubGrant) {
  const now = clock();
  const { expiresIn, refreshToken, scopes } = grant;
  return {
    accessToken: seal.seal(sealedFor.access(userId), grant.accessToken),
    refreshToken: refreshToken === null ? null : seal.seal(sealedFor.refresh(userId), refreshToken),
    tokenExpiresAt: expiresIn === null ? null : new Date(now.getTime() + expiresIn * 1000),
    scopes,
    updatedAt: now,
  };
}

/** The user's GitHub token, renewed when it is about to expire; 403 without a connection. */
export async function githubToken(deps: Deps, userId: bigint): Promise<string> {
  const { db, seal, clock } = deps;
  const where = { userId_provider: { userId, provider: "github" } };
  const integration = await db.reader.integration.findUnique({ where });
  if (integration === null) throw notConnected();
  const { tokenExpiresAt, refreshToken } = integration;
  if (tokenExpiresAt === null || tokenExpiresAt.getTime() - clock().getTime() > marginMs) {
    return seal.open(sealedFor.access(userId), integration.accessToken);
  }
  // A refresh token works once: the request that clears it uses it, and the others retry later.
  const claimed = await db.transact((prisma) =>
    prisma.integration.updateMany({
      where: { id: integration.id, refreshToken: refreshToken ?? "" },
      data: { refreshToken: null, updatedAt: clock() },
    }),
  );
  if (refreshToken === null || claimed.count === 0) {
    const late = clock().getTime() - integration.updatedAt.getTime() > marginMs;
    throw refreshToken === null && late
      ? notConnected()
      : unavailable("connection_busy", "Another request is renewing the connection. Try again.");
  }
  // A connection that was removed or renewed meanwhile is not overwritten.
  const store = (data: Partial<ReturnType<typeof sealed>>) =>
    db.transact((prisma) =>
      prisma.integration.updateMany({ where: { id: integration.id, refreshToken: null }, data }),
    );
  try {
    const grant = await refreshGitHubGrant(
      githubApp(deps),
      seal.open(sealedFor.refresh(userId), refreshToken),
    );
    const scopes = grant.scopes.length > 0 ? grant.scopes : integration.scopes;
    await store(sealed(deps, userId, { ...grant, scopes }));
    return grant.accessToken;
  } catch (error) {
    await store({ refreshToken });
    throw error;
  }
}

import type { Deps } from "../../kernel/request/deps.ts";
import { unavailable } from "../../platform/errors.ts";
import { notConnected } from "./github/answer.ts";
import { refreshGitHubGrant, type GitHubGrant } from "./github/grant.ts";
import { githubApp, sealedFor } from "./state.ts";

/** A token with less than this left is exchanged before it is used. */
const marginMs = 60_000;

/** Keeps what GitHub granted to a user, sealed; `account` is their login there. */
export async function saveGrant(deps: Deps, userId: bigint, grant: GitHubGrant, account: string) {
  const kept = { ...sealed(deps, userId, grant), account };
  await deps.db.transact((prisma) =>
    prisma.integration.upsert({
      where: { userId_provider: { userId, provider: "github" } },
      create: { ...kept, userId, provider: "github", createdAt: kept.updatedAt },
      update: kept,
    }),
  );
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

/** The user's GitHub token, exchanged for a fresh one when it is about to expire; 403 when there is none. */
export async function githubToken(deps: Deps, userId: bigint): Promise<string> {
  const { db, seal, clock } = deps;
  const where = { userId_provider: { userId, provider: "github" } };
  const kept = await db.reader.integration.findUnique({ where });
  if (kept === null) throw notConnected();
  const { tokenExpiresAt, refreshToken } = kept;
  if (tokenExpiresAt === null || tokenExpiresAt.getTime() - clock().getTime() > marginMs) {
    return seal.open(sealedFor.access(userId), kept.accessToken);
  }
  // A refresh token works once: whoever takes it out of the row is the one to use it, and the others wait a while.
  const taken = await db.transact((prisma) =>
    prisma.integration.updateMany({
      where: { id: kept.id, refreshToken: refreshToken ?? "" },
      data: { refreshToken: null, updatedAt: clock() },
    }),
  );
  if (refreshToken === null || taken.count === 0) {
    const late = clock().getTime() - kept.updatedAt.getTime() > marginMs;
    throw refreshToken === null && late
      ? notConnected()
      : unavailable("The connection is being renewed.");
  }
  // Whoever has disconnected meanwhile, or connected anew, is not given the old connection again.
  const keep = (data: Partial<ReturnType<typeof sealed>>) =>
    db.transact((prisma) =>
      prisma.integration.updateMany({ where: { id: kept.id, refreshToken: null }, data }),
    );
  try {
    const grant = await refreshGitHubGrant(
      githubApp(deps),
      seal.open(sealedFor.refresh(userId), refreshToken),
    );
    const scopes = grant.scopes.length > 0 ? grant.scopes : kept.scopes;
    await keep(sealed(deps, userId, { ...grant, scopes }));
    return grant.accessToken;
  } catch (error) {
    await keep({ refreshToken });
    throw error;
  }
}

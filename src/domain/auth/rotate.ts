import { fingerprint } from "../../kernel/access/credentials.ts";
import type { AccessTokens } from "../../platform/crypto/tokens.ts";

/** A stored refresh token. */
export type StoredToken = { id: bigint; spentAt: Date | null };

/** Where the refresh tokens of one session, or of one grant, are stored. */
export type TokenStore = {
  find: (tokenHash: string) => Promise<StoredToken | null>;
  /** Marks a token as spent, and stores its successor. */
  replace: (spent: StoredToken, successorHash: string) => Promise<unknown>;
};

/** A rotation: the token that was sent, at which moment, and for how long a retry may follow. */
type Rotation = {
  token: string;
  row: StoredToken;
  now: Date;
  graceMs: number;
  successors: AccessTokens["successors"];
};

/** How many successors a retry follows at most. */
const longestChain = 32;

/**
 * The refresh token that follows one that was sent; undefined for one that was copied.
 *
 * A token that was spent within the grace period is a retry. It gets the live end of its chain, not
 * its successor: another call may have spent that meanwhile.
 */
export async function rotate(
  { find, replace }: TokenStore,
  { token, row, now, graceMs, successors }: Rotation,
): Promise<string | undefined> {
  if (row.spentAt === null) {
    const [next] = successors(token);
    await replace(row, fingerprint(next));
    return next;
  }
  let [last, stored] = [token, row];
  for (let steps = 0; steps <= longestChain; steps++) {
    if (stored.spentAt === null) return last;
    if (now.getTime() - stored.spentAt.getTime() > graceMs) return undefined;
    const next = await firstStored(find, successors(last));
    if (next === undefined) return undefined;
    [last, stored] = next;
  }
  return undefined;
}

/** The first of some tokens that is stored: under the current secret or under a previous one. */
async function firstStored(find: TokenStore["find"], tokens: readonly string[]) {
  for (const token of tokens) {
    const stored = await find(fingerprint(token));
    if (stored !== null) return [token, stored] as const;
  }
  return undefined;
}

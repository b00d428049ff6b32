import { fingerprint } from "../../kernel/access/credentials.ts";
import type { IdentityClaims } from "../../kernel/access/identity-claims.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Context } from "../../kernel/request/context.ts";
import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { randomText, type Checks } from "./checks.ts";
import { providerOf } from "./providers.ts";

/** How long each of the two steps of a sign-in may take, in ms. */
const stepMs = 10 * 60_000;

const sealedFor = { start: "start of a sign-in", proof: "proof of a sign-in" };

type Begun = { provider: string; checks: Checks; returnUrl: string };

/** Stores a sign-in that begins; returns the secret of the page that began it. */
export async function saveStart(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  seal: Seal,
  { provider, checks, returnUrl }: Begun,
): Promise<string> {
  const secret = randomText();
  await prisma.signIn.create({
    data: {
      provider,
      returnUrl,
      stateHash: fingerprint(checks.state),
      secretHash: fingerprint(secret),
      started: seal.seal(sealedFor.start, JSON.stringify(checks)),
      createdAt: now,
      expiresAt: new Date(now.getTime() + stepMs),
    },
  });
  return secret;
}

const unknown = (field: "state" | "result") =>
  badRequest(
    "token_invalid",
    "The sign-in is unknown, has ended, or has expired after ten minutes. Start it again.",
    [field],
  );

/** Takes a sign-in by the state that the provider sent back; 400 for one that is not waiting. */
export async function takeStart(
  query: Query,
  seal: Seal,
  { state, provider, now }: { state: string; provider: string; now: Date },
): Promise<Begun & { id: bigint }> {
  const [row] = await query<{ id: bigint; started: string; returnUrl: string }>(
    sql`UPDATE sign_ins SET "usedAt" = ${now}::timestamptz
      WHERE "stateHash" = ${fingerprint(state)} AND provider = ${provider} AND "usedAt" IS NULL
        AND "expiresAt" > ${now}::timestamptz
      RETURNING id, started, "returnUrl"`,
  );
  if (row === undefined) throw unknown("state");
  const checks: Checks = open(seal, sealedFor.start, row.started, "state");
  return { id: row.id, provider, returnUrl: row.returnUrl, checks };
}

/** What this service has sealed for a purpose. */
function open(seal: Seal, purpose: string, sealed: string, field: "state" | "result") {
  try {
    return JSON.parse(seal.open(purpose, sealed));
  } catch (error) {
    if (error instanceof Unsealable) throw unknown(field);
    throw error;
  }
}

/** Stores whom a provider has proved; returns the one-time result for the page. */
export async function saveProof(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  seal: Seal,
  id: bigint,
  proof: IdentityClaims,
): Promise<string> {
  const result = randomText();
  const expiresAt = new Date(now.getTime() + stepMs);
  await query(sql`UPDATE sign_ins SET "resultHash" = ${fingerprint(result)},
      proved = ${seal.seal(sealedFor.proof, JSON.stringify(proof))},
      "expiresAt" = ${expiresAt}::timestamptz
    WHERE id = ${id}`);
  return result;
}

/** What a page has of a sign-in that returned to it. */
export type Returned = { result: string; secret: string };
/** A proof, and the provider that gave it. */
export type Proved = { id: bigint; provider: string; proof: IdentityClaims };

/** A call that opens its transactions. */
type Using = Pick<Context, "deps"> & {
  transact: <Result>(run: (tx: UnitOfWork) => Promise<Result>) => Promise<Result>;
};

/**
 * Uses up the proof of a sign-in, unless `use` throws. 400 for an unknown one, for that of another
 * page (its person would sign in as somebody else), and for a provider that is gone.
 */
export async function useProof<Result>(
  { deps, transact }: Using,
  returned: Returned,
  use: (tx: UnitOfWork, proved: Proved) => Promise<Result>,
): Promise<Result> {
  const run = () =>
    transact(async (tx) => {
      const proved = await readProof(tx, deps.seal, returned);
      // The operator may have removed it meanwhile.
      providerOf(deps, proved.provider);
      const result = await use(tx, proved);
      await tx.query(sql`DELETE FROM sign_ins WHERE id = ${proved.id}`);
      return result;
    });
  return run().catch((error: unknown) => {
    // A concurrent call has made the account, or linked the identity.
    if (sqlState(error) === "23505") return run();
    throw error;
  });
}

/** The proof of a sign-in, whose row is locked. */
async function readProof(
  { query, now }: UnitOfWork,
  seal: Seal,
  { result, secret }: Returned,
): Promise<Proved> {
  const [row] = await query<{ id: bigint; provider: string; proved: string }>(
    sql`SELECT id, provider, proved FROM sign_ins
      WHERE "resultHash" = ${fingerprint(result)} AND "secretHash" = ${fingerprint(secret)}
        AND "expiresAt" > ${now}::timestamptz FOR UPDATE`,
  );
  if (row === undefined) throw unknown("result");
  const proof: IdentityClaims = open(seal, sealedFor.proof, row.proved, "result");
  return { id: row.id, provider: row.provider, proof };
}

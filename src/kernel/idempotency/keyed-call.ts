import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { OutputSchema } from "../invocation/output-schema.ts";
import type { NamedCall } from "../invocation/types.ts";
import type { Context } from "../request/context.ts";
import { digestBody } from "./body-digest.ts";
import {
  claimKey,
  inFlight,
  insertClaim,
  isInFlight,
  lockClaim,
  renewClaim,
  UsedBefore,
} from "./claim.ts";
import { keyedCall, type ClaimedCall, type KeyedCall } from "./key.ts";
import {
  replayResponse,
  sealedResponse,
  storableRefusal,
  type CallOutcome,
} from "./stored-response.ts";

/** The `Idempotency-Key` of a call. */
export type CallKey = {
  /** Lets a transaction have the key: its first statement. It fails if another call has it. */
  hold: (tx: UnitOfWork) => Promise<void>;
  /** Stores the response, in the transaction of `query` where there is one. */
  save: (query: Query, output: unknown) => Promise<unknown>;
};

/** Stands in for the key of a call that has none. */
export const noKey: CallKey = {
  hold: () => Promise.resolve(),
  save: () => Promise.resolve(),
};

/** Whether a call is one transaction, or several around slow work. */
type Span = "transaction" | "call";

/**
 * Runs a write once per `Idempotency-Key`.
 *
 * The same call again gets the stored response, another call 422, one in flight 409. Responses of
 * 2xx and 4xx are stored. The claim of one transaction is a lock, and its row is written with the
 * response; a longer call commits the row first, and renews it. So a crash frees the key at once.
 */
export async function withKey(
  ctx: Context,
  namedCall: NamedCall,
  schema: OutputSchema,
  span: Span,
  run: (key: CallKey) => Promise<unknown>,
): Promise<unknown> {
  const keyed = keyedCall(ctx, namedCall);
  if (keyed === undefined) return run(noKey);
  const claim = span === "transaction" ? new Claim(ctx, keyed) : new LongClaim(ctx, keyed);
  try {
    await claim.begin();
    return await run(claim);
  } catch (error) {
    if (error instanceof UsedBefore) {
      return await replayResponse(ctx, { ...keyed, digest: error.digest }, schema);
    }
    if (isInFlight(error)) throw inFlight();
    await claim.fail(error);
    throw error;
  } finally {
    claim.end();
  }
}

/** The claim of a call that is one transaction. */
class Claim implements CallKey {
  protected readonly ctx: Context;
  protected readonly keyed: KeyedCall;
  /** Null before it is claimed, and for a caller whose credential is invalid. */
  protected claimed: ClaimedCall | null = null;

  constructor(ctx: Context, keyed: KeyedCall) {
    this.ctx = ctx;
    this.keyed = keyed;
  }

  begin(): Promise<void> {
    return Promise.resolve();
  }

  end(): void {}

  async hold({ query }: Pick<UnitOfWork, "query">): Promise<void> {
    this.claimed = null;
    const digest = await claimKey(query, this.ctx, this.keyed);
    this.claimed = digest === null ? null : { ...this.keyed, digest };
  }

  save(query: Query, output: unknown): Promise<unknown> {
    const { version, lastEvent } = this.ctx.responseMeta;
    return this.store(query, { output, version, lastEvent });
  }

  /** Stores the refusal of the call, unless another call has the key meanwhile. */
  async fail(error: unknown): Promise<void> {
    const refusal = this.claimed === null ? undefined : storableRefusal(error);
    if (refusal === undefined) return;
    try {
      await this.ctx.deps.db.transact(async (_, query) => {
        await this.hold({ query });
        await this.store(query, refusal);
      });
    } catch (failed) {
      if (!(failed instanceof UsedBefore || isInFlight(failed))) throw failed;
    }
  }

  protected store(query: Query, outcome: CallOutcome): Promise<unknown> {
    if (this.claimed === null) return Promise.resolve();
    const { digest, request } = this.claimed;
    const { deps } = this.ctx;
    return query(sql`INSERT INTO idempotency_keys (digest, request, response, "createdAt")
      VALUES (${digest}, ${request}, ${sealedResponse(this.ctx, outcome)},
        ${deps.clock()}::timestamptz)`);
  }
}

/** The claim of a call of several transactions. It names this process until there is a response. */
class LongClaim extends Claim {
  #id: bigint | undefined;
  #bodyDigest: () => string | undefined = () => undefined;
  #stopRenewing: () => void = () => undefined;

  override async begin(): Promise<void> {
    const { deps } = this.ctx;
    const process = await deps.db.processLock.number();
    await deps.db.transact(async (_, query) => {
      await super.hold({ query });
      if (this.claimed === null) return;
      const insert = insertClaim(this.claimed, process, deps.clock());
      const [row] = await query<{ id: bigint }>(insert);
      this.#id = row?.id;
    });
    if (this.#id === undefined) return;
    this.#bodyDigest = digestBody(this.ctx);
    this.#stopRenewing = renewClaim(deps, this.#id);
  }

  override end(): void {
    this.#stopRenewing();
  }

  override async hold({ query }: Pick<UnitOfWork, "query">): Promise<void> {
    if (this.#id !== undefined) void query(lockClaim(this.#id));
  }

  override async fail(error: unknown): Promise<void> {
    if (this.#id === undefined) return;
    const { write } = this.ctx.deps.db;
    const refusal = storableRefusal(error);
    // A body that was not read to its end could not be compared with that of the next call.
    const isComparable = this.ctx.requestBody === undefined || this.#bodyDigest() !== undefined;
    if (refusal !== undefined && isComparable) return void (await this.#update(write, refusal));
    // The transaction may have committed although its confirmation was lost.
    await write(sql`DELETE FROM idempotency_keys WHERE id = ${this.#id} AND response IS NULL`);
  }

  protected override async store(query: Query, outcome: CallOutcome): Promise<void> {
    if (this.#id === undefined) return;
    const saved = await this.#update(query, outcome);
    if (saved.length === 0) throw inFlight();
  }

  #update(query: Query, outcome: CallOutcome): Promise<unknown[]> {
    const response = sealedResponse(this.ctx, { ...outcome, bodyDigest: this.#bodyDigest() });
    return query(sql`UPDATE idempotency_keys SET response = ${response}
      WHERE id = ${this.#id ?? null}::bigint RETURNING id`);
  }
}

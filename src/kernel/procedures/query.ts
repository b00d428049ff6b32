import { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Credential } from "../access/credential.ts";
import { requireCredential } from "../access/credentials.ts";
import {
  authorizeCall,
  handlerContext,
  readDeps,
  versionOf,
} from "../invocation/authorize-call.ts";
import { visibleOutput } from "../invocation/output-schema.ts";
import type { HandlerContext, NoFields, RuleFields } from "../invocation/types.ts";
import type { ReadDeps } from "../request/deps.ts";
import { readPageInTurn } from "../request/expensive-work.ts";
import { Builder, inputOf, type InputOf } from "./builder.ts";

/** The call that a row is selected for. */
type Call<Input> = { input: Input; credential: Credential; now: Date; trashDays: number };

/**
 * A row that is read by the statement that authorizes the call: the call is one round trip.
 *
 * The SQL can use the target and its ancestors by their kinds, and `caller`. Its columns are named
 * `extra.…`. It runs before it is known whether the caller is authorized: the handler gets the row
 * only if so. `row` is its type, without a value.
 */
export type ExtraRow<Row, Input = unknown> = { select: (call: Call<Input>) => Sql; row?: Row };

/** What a query adds to the context of its handler. */
type Reads<Name extends Operation, Row> = HandlerContext<Name> & {
  db: DatabaseReader;
  deps: ReadDeps;
  row: Row;
};

/**
 * An operation that reads: its handler gets the authorized target and a read-only database, or the
 * `row` that was selected with the target.
 *
 * A page, or a list without pages, is read in a turn of its caller. A page that waits for events
 * holds no turn meanwhile: its handler takes one for each read.
 */
export const query = <
  Name extends Operation,
  Shape extends z.ZodRawShape = NoFields,
  Row = undefined,
>(
  name: Name,
  body?: z.ZodObject<Shape>,
  selected?: ExtraRow<Row, z.output<z.ZodObject<Shape & RuleFields<Name>>>>,
) => {
  const fields = body?.shape ?? {};
  const isPage = "limit" in fields && !("wait" in fields);
  return new Builder<InputOf<Name, Shape>, Reads<Name, Row>>(
    name,
    inputOf(name, body),
    async ({ ctx, input, named, output, parse }, handle) => {
      const { clock, config, db } = ctx.deps;
      const extra = selected?.select({
        input,
        credential: requireCredential(ctx),
        now: clock(),
        trashDays: config.TRASH_DAYS,
      });
      const request = { ...named, writes: false, lock: false, extra };
      const read = async () => {
        const authorized = await authorizeCall(db.read, ctx, request);
        const version = versionOf(authorized, name);
        if (version !== undefined) ctx.responseMeta.version = version;
        // The row is that of `selected`, as in its type.
        const handler = { db: db.reader, deps: readDeps(ctx), row: authorized.extra as Row };
        const result = parse(
          await handle(handlerContext<Name, typeof handler>(authorized, handler)),
        );
        return visibleOutput(result, output, authorized.membership);
      };
      return isPage || output.schema instanceof z.ZodArray ? readPageInTurn(ctx, read) : read();
    },
    { takesTurn: isPage },
  );
};

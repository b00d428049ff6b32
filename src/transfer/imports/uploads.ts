import type { z } from "zod";
import type { Import } from "../../contract/resources/imports.ts";
import { storeReserved } from "../../domain/attachments/store.ts";
import { peek } from "../../domain/attachments/type.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { BudgetUse } from "../../platform/byte-budget.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { failure } from "../../platform/errors.ts";
import { FairShare, type ShareLimits } from "../../platform/fair-share.ts";
import { tooLarge } from "../../platform/http/body.ts";
import type { RequestBody } from "../../platform/http/byte-body.ts";
import type { StoredContent } from "../../platform/storage/store.ts";
import { discardImportFiles } from "./job/files.ts";
import type { Upload } from "./job/start.ts";

/**
 * How users send files to import: each file is on disk until it is examined.
 *
 * There is no limit for all users together: a few who send slowly would stop the others.
 */
export const uploadShares: ShareLimits = {
  size: Number.MAX_SAFE_INTEGER,
  perCaller: 2,
  perTenant: 2,
  queue: 1_000,
  queuePerCaller: 4,
  waitMs: 60_000,
};
const uploads = new FairShare(uploadShares);

/** Runs what reads the body of a user, when few of their files are being sent. */
export const inUploadTurn = <Result>(userId: bigint, run: () => Promise<Result>) =>
  uploads.run(String(userId), run);

type Context = {
  caller: Pick<Caller, "userId">;
  deps: Deps;
  requestBody?: RequestBody | undefined;
};

/** A file that was stored. `countText` counts its text for the sender; 429 when it is too much. */
type StoredUpload = StoredContent & {
  head: Uint8Array;
  countText: (bytes: number) => Promise<void>;
};

/** How a file becomes an import. */
type Steps<Reserved extends Upload, Found> = {
  /** The operation's path, for a caller over tRPC. */
  path: string;
  maxBytes: number;
  reserve: () => Promise<Reserved>;
  examine: (reserved: Reserved, file: StoredUpload) => Promise<Found>;
  /** Queues the import. When the caller imports the same already, returns that import instead. */
  queue: (reserved: Reserved, found: Found) => Promise<z.infer<typeof Import>>;
  /** Removes the rows of an import without a file. */
  deleteRows: (reserved: Reserved) => Sql;
};

/** Receives a file to import when few of the user's files are being sent. */
export async function receiveFile<Reserved extends Upload, Found>(
  { caller: { userId }, deps, requestBody }: Context,
  { path, maxBytes, reserve, examine, queue, deleteRows }: Steps<Reserved, Found>,
): Promise<z.infer<typeof Import>> {
  if (requestBody === undefined)
    throw failure("rest_only", `Upload over REST: POST the file to /api/v1${path}.`);
  if (requestBody.length !== undefined && requestBody.length > maxBytes) throw tooLarge(maxBytes);
  // The text of the file counts for its sender only when the file starts an import.
  const text = new BudgetUse(deps.limits.texts, String(userId));
  const countText = (bytes: number) => text.add(bytes);
  const discard = async (reserved: Reserved) => {
    await text.refund();
    await discardImportFiles(deps, sql`i.id = ${reserved.row.id}`);
    await deps.db.write(deleteRows(reserved));
  };
  const receive = () =>
    storeReserved({
      reserve,
      async store(reserved) {
        const { bytes, head } = peek(requestBody.bytes);
        const storedFile = await deps.files.put(reserved.storageKey, bytes, maxBytes);
        return examine(reserved, { ...storedFile, head: head(), countText });
      },
      async complete(reserved, examined) {
        const queued = await queue(reserved, examined);
        if (queued.publicId !== reserved.row.publicId) await discard(reserved);
        return queued;
      },
      discard,
    });
  return inUploadTurn(userId, receive);
}

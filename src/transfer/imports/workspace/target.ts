import type { Query } from "../../../platform/db/query.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import type { ImportEvent } from "../../../contract/import-events.ts";
import type { Home, ImportRun } from "../context.ts";
import type { Tally } from "../report.ts";
import type { Kept } from "./files.ts";
import type { Ids } from "./ids.ts";

/** What an import of a workspace knows wherever it is. */
export type Bringing = {
  run: ImportRun;
  ids: Ids;
  /** The member of the document who is whoever imports it. */
  mine: string | null;
  /** The members of the document, by their ids there. */
  members: Set<string>;
  /** The files of the archive, by their names in it. */
  files: ReadonlyMap<string, Kept>;
};

/** One step of it, at work. */
export type Making = Bringing & { tx: UnitOfWork<ImportEvent>; made: Tally; home: Home };

/** Runs one step. */
export const step = <Result>(
  bringing: Bringing,
  make: (making: Making) => Promise<Result>,
): Promise<Result> => bringing.run.step((tx, made, home) => make({ ...bringing, tx, made, home }));

/** What every row of a thing has, with the moments that it had. */
export const rowOf = (
  { run, ids, home }: Making,
  { publicId, createdAt, updatedAt }: { publicId: string; createdAt: string; updatedAt: string },
) => ({
  publicId: ids(publicId),
  workspaceId: home.id,
  createdById: run.row.createdById,
  version: 1,
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
  deletedAt: null,
});

/** A moment of the document. */
export const moment = (text: string | null) => (text === null ? null : new Date(text));

/** The rows of a table in the workspace by the ids that they have here. */
export async function findIn(
  query: Query,
  table: "members" | "lists" | "labels" | "cards" | "boards",
  { id }: Pick<Home, "id">,
  publicIds: string[],
): Promise<Map<string, bigint>> {
  if (publicIds.length === 0) return new Map();
  const rows = await query<{ id: bigint; publicId: string }>(
    `SELECT id, "publicId" FROM ${table} WHERE "publicId" = ANY($1::text[]) AND "workspaceId" = $2`,
    [publicIds, id],
  );
  return new Map(rows.map((row) => [row.publicId, row.id]));
}

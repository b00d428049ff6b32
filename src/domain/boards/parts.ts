import type { z } from "zod";
import type { Board } from "../../contract/resources/boards.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { customFieldsOfBoard } from "../custom-fields/detail.ts";

/** The parts that boards, snapshots and exports show alike. Lists are shown with their cards. */
export type ShownParts = Pick<z.infer<typeof Board>, "labels" | "fields">;
type View = ShownParts[keyof ShownParts][number];

/** A row of a part: what is shown of it, and its board. */
export type PartRow = View & { id: bigint; parent: bigint };

/** SQL: the labels of boards, by name. */
const labelsOfBoard = (boardId: Sql): Sql => sql`
  SELECT id, "boardId" AS parent, "publicId", name, "colourCode"
  FROM labels WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY name, "publicId"`;

/** How each part is read, and the kind of its lines in snapshots. */
const parts = [
  { name: "labels", kind: "label", of: labelsOfBoard },
  { name: "fields", kind: "field", of: customFieldsOfBoard },
] as const;

/** Reads the rows of each part on a board, or on some boards. */
export const readParts = (query: Query, boardId: Sql) =>
  Promise.all(
    parts.map(async ({ of, ...part }) => ({ ...part, rows: await query<PartRow>(of(boardId)) })),
  );

/** A row as boards show it. */
export function shownRow(row: PartRow & { version?: number }): View {
  const { id: _id, parent: _parent, version: _version, ...view } = row;
  return view;
}

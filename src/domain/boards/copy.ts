import { takeNumbers } from "../cards/number.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Limits } from "../../contract/limits.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";

const live = (alias: string) => `${alias}."deletedAt" IS NULL AND ${alias}."archivedAt" IS NULL`;
const lists = `FROM lists l WHERE l."boardId" = $1 AND ${live("l")}`;
const under = (...joins: string[]) =>
  `FROM lists l JOIN cards c ON c."listId" = l.id AND ${live("c")} ${joins.join(" ")} WHERE l."boardId" = $1 AND ${live("l")}`;
const marked = `JOIN card_labels cl ON cl."cardId" = c.id JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL`;
const listed = `JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL`;
const itemised = `JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL`;

// What lies where, in one statement: whatever moves on the source meanwhile, each thing is there once.
const shape = `SELECT 'list' AS kind, l.id, l."boardId" AS parent, l.position, 0 AS number ${lists}
  UNION ALL SELECT 'label', id, "boardId", '', 0 FROM labels WHERE "boardId" = $1 AND "deletedAt" IS NULL
  UNION ALL SELECT 'card', c.id, c."listId", c.position, c.number ${under()}
  UNION ALL SELECT 'mark', cl."labelId", c.id, '', 0 ${under(marked)}
  UNION ALL SELECT 'checklist', ch.id, c.id, ch.position, 0 ${under(listed)}
  UNION ALL SELECT 'item', i.id, ch.id, i.position, 0 ${under(listed, itemised)}
  ORDER BY number, id`;

const insert = (table: string, parent: string, columns: string[], more: [string, string][] = []) =>
  `INSERT INTO ${table} ("publicId", "workspaceId", "createdById", "createdAt", "updatedAt", "${parent}",
     ${[...columns, ...more.map(([name]) => name)].map((name) => `"${name}"`).join(", ")})
   SELECT new."publicId", $5::bigint, $6::bigint, $7::timestamptz, $7::timestamptz, new.parent,
     ${[...columns.map((name) => `${name === "position" ? "new" : "old"}."${name}"`), ...more.map(([, value]) => value)].join(", ")}
   FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS new(id, "publicId", parent, position, nth)
   JOIN ${table} old ON old.id = new.id RETURNING id, "publicId"`;
const inserts = {
  list: insert("lists", "boardId", ["position", "name", "wipLimit"]),
  label: insert("labels", "boardId", ["name", "colourCode"]),
  card: insert(
    "cards",
    "listId",
    ["position", "title", "description", "startDate", "dueDate"],
    [
      ["boardId", "$8::bigint"],
      ["number", "$9::int + new.nth::int - 1"],
    ],
  ),
  checklist: insert("checklists", "cardId", ["position", "name"]),
  item: insert("checklist_items", "checklistId", ["position", "title", "dueDate"]),
};

type Kind = keyof typeof inserts;
type Row = { kind: Kind | "mark"; id: bigint; parent: bigint; position: string };
/** What every row of the copy has. */
type Made = { workspaceId: bigint; boardId: bigint; createdById: bigint; createdAt: Date };

/** Copies the lists, labels, cards and checklists of a board onto a new one, in their order, in as many statements whatever their number. */
export async function copyOnto(
  { query, limits }: Pick<UnitOfWork, "query" | "limits">,
  sourceId: bigint,
  made: Made,
): Promise<void> {
  const { workspaceId, boardId, createdById, createdAt } = made;
  const rows = await query<Row>(shape, [sourceId]);
  checkLimits(rows, limits);
  const of = (kind: Row["kind"]) => rows.filter((row) => row.kind === kind);
  const copy = async (kind: Kind, parents: Map<bigint, bigint>, ...more: unknown[]) => {
    const old = of(kind);
    const ids = new Map(old.map(({ id }) => [publicId(), id]));
    const copies = await query<{ id: bigint; publicId: string }>(inserts[kind], [
      [...ids.values()],
      [...ids.keys()],
      old.map(({ parent }) => parents.get(parent)),
      old.map(({ position }) => position),
      workspaceId,
      createdById,
      createdAt,
      ...more,
    ]);
    return new Map(copies.map((row) => [ids.get(row.publicId) ?? 0n, row.id]));
  };
  const boards = new Map([[sourceId, boardId]]);
  const columns = await copy("list", boards);
  const labels = await copy("label", boards);
  const first = await takeNumbers(query, workspaceId, of("card").length);
  const cards = await copy("card", columns, boardId, first);
  const marks = of("mark");
  await query(
    `INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
     SELECT mark.*, $3::bigint, $4::timestamptz FROM unnest($1::bigint[], $2::bigint[]) AS mark`,
    [
      marks.map(({ parent }) => cards.get(parent)),
      marks.map(({ id }) => labels.get(id)),
      workspaceId,
      createdAt,
    ],
  );
  await copy("item", await copy("checklist", cards));
}

/** 409 when the source has more than a board may have by now. */
function checkLimits(rows: Row[], limits: Limits) {
  const most = (kind: Row["kind"], parentOf: (row: Row) => bigint) => {
    const counts = new Map<bigint, number>();
    for (const row of rows) {
      if (row.kind === kind) counts.set(parentOf(row), (counts.get(parentOf(row)) ?? 0) + 1);
    }
    return [...counts.values()].reduce((highest, count) => Math.max(highest, count), 0);
  };
  const board = () => 0n;
  checkCount(limits, "lists", most("list", board));
  checkCount(limits, "labels", most("label", board));
  checkCount(limits, "cards", most("card", board));
  checkCount(
    limits,
    "checklists",
    most("checklist", ({ parent }) => parent),
  );
  checkCount(
    limits,
    "checklist_items",
    most("item", ({ parent }) => parent),
  );
}

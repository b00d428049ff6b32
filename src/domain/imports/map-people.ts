import { z } from "zod";
import { Import as ImportView, ImportedPerson } from "../../contract/resources/imports.ts";
import { PublicId } from "../../contract/vocabulary/texts.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import { isCardOf, lockCards } from "../cards/lock-cards.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Import } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { keepParts } from "../parts/kept.ts";
import { showImport } from "../presenters/imports.ts";
import { isKnownTo, readPeople, viewPerson } from "./read-people.ts";
import { assignItems, assignMembers } from "./assign.ts";

const maxPeople = 100;

const Mapping = z.strictObject({
  people: z
    .array(
      z
        .strictObject({
          sourceId: z
            .string()
            .min(1)
            .max(255)
            .meta({ description: "The id at the source.", examples: ["5abbe4b7ddc1b351ef961416"] }),
          memberPublicId: PublicId.nullable().meta({
            examples: ["m7e1m9b3r5s6"],
            description: "The member to map the person to. Null removes the mapping.",
          }),
        })
        .meta({ id: "PersonMapping", description: "A person of the source, and a member." }),
    )
    .min(1)
    .max(maxPeople)
    .refine(
      (people) => new Set(people.map(({ sourceId }) => sourceId)).size === people.length,
      "Must contain each sourceId once",
    )
    .meta({ description: "People of the source, each with the member to map them to." }),
});

const MappedPeople = ImportView.extend({
  people: z.array(ImportedPerson).meta({ description: "The mapped people." }),
}).meta({
  id: "MappedPeople",
  description: "An import with the people that were mapped to members.",
});

type Change = { id: bigint; sourceId: string; from: bigint | null; to: bigint | null };

/** Maps people of the source of an import to members of the workspace. */
export const mapImportPeople = mutation("import.mapPeople", Mapping)
  .meta(
    rest("Imports").put(
      "/imports/{importPublicId}/people",
      "Map imported people to members",
      "Maps people of the source of an import to members of the workspace. Imported comments of " +
        "a mapped person show the member beside the imported name. The member is assigned to " +
        "the person's imported cards and checklist items, on boards that the member and the " +
        "caller can see. Until then, the title of an item names its assignee. Later imports of " +
        "the source use the mapping. Returns 404 if a person or member does not exist, or if a " +
        "person is only on hidden boards.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(MappedPeople)
  .mutation(async ({ ctx, input: { people } }) => {
    const { import: row, workspace, tx } = ctx;
    const changes = await findChanges(tx, row, people, viewerOf(ctx));
    if (changes.length > 0) {
      await tx.allowLongStatements();
      await saveChanges(tx, row, changes, viewerOf(ctx));
      const data = { import: showImport(row, workspace), people: changes.length };
      tx.emit("import.people_mapped", data);
    }
    const sourceIds = people.map(({ sourceId }) => sourceId);
    const where = sql`p."sourceId" = ANY(${sourceIds}::text[])`;
    const rows = await readPeople(tx.query, row, viewerOf(ctx), { where, limit: maxPeople });
    return { ...showImport(row, workspace), people: rows.map(viewPerson) };
  });

/** Locks the people; returns those whose member changes. */
async function findChanges(
  tx: UnitOfWork,
  { workspaceId, family }: Import,
  people: z.infer<typeof Mapping>["people"],
  viewer: Viewer,
): Promise<Change[]> {
  const publicIds = people.flatMap(({ memberPublicId }) => memberPublicId ?? []);
  const members = await tx.prisma.member.findMany({
    where: { workspaceId, publicId: { in: publicIds }, status: { not: "removed" } },
    select: { id: true, publicId: true },
  });
  const ids = new Map(members.map(({ id, publicId }) => [publicId, id]));
  if (publicIds.some((publicId) => !ids.has(publicId))) throw notFound("member");
  const sourceIds = people.map(({ sourceId }) => sourceId);
  const rows = await tx.query<Omit<Change, "to">>(sql`
    SELECT id, "sourceId", "memberId" AS from FROM imported_people p
    WHERE "workspaceId" = ${workspaceId} AND source = ${family} AND ${isKnownTo(viewer)}
      AND "sourceId" = ANY(${sourceIds}::text[]) ORDER BY id FOR UPDATE`);
  if (rows.length < people.length) throw notFound("person");
  const memberOf = new Map(
    people.map(({ sourceId, memberPublicId }) => [sourceId, memberPublicId]),
  );
  return rows
    .map((row) => ({ ...row, to: ids.get(memberOf.get(row.sourceId) ?? "") ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** Locks the cards that people are assigned to, and then the items, each in the order of ids. */
async function lockAssigned(query: Query, { workspaceId, family }: Import, changes: Change[]) {
  const sourceIds = sql`${changes.map(({ sourceId }) => sourceId)}::text[]`;
  const items = sql`FROM checklist_items i WHERE i."workspaceId" = ${workspaceId}
    AND i."importSource" = ${family} AND i."importAssigneeId" = ANY(${sourceIds})`;
  const cards = sql`SELECT a."cardId" FROM imported_assignments a
    WHERE a."workspaceId" = ${workspaceId} AND a.source = ${family}
      AND a."sourceId" = ANY(${sourceIds})
    UNION SELECT ch."cardId" FROM checklists ch WHERE ch.id IN (SELECT i."checklistId" ${items})`;
  await lockCards(query, isCardOf(cards));
  await query(sql`SELECT count(*) FROM (
    SELECT 1 ${items} ORDER BY i.id FOR NO KEY UPDATE) AS locked`);
}

async function saveChanges(
  { query, now }: UnitOfWork,
  row: Import,
  people: Change[],
  viewer: Viewer,
) {
  const { workspaceId, family } = row;
  const changes = sql`SELECT * FROM unnest(${people.map(({ id }) => id)}::bigint[],
    ${people.map(({ sourceId }) => sourceId)}::text[], ${people.map(({ from }) => from)}::bigint[],
    ${people.map(({ to }) => to)}::bigint[]) AS change(id, "sourceId", "from", "to")`;
  await lockAssigned(query, row, people);
  await query(sql`
    UPDATE imported_people p SET "memberId" = change."to", "updatedAt" = ${now}::timestamptz
    FROM (${changes}) change WHERE p.id = change.id`);
  const pairs = (side: "from" | "to") => sql`
    SELECT a."cardId", change.${sql.identifier(side)} AS "memberId" FROM (${changes}) change
    JOIN imported_assignments a ON a."workspaceId" = ${workspaceId} AND a.source = ${family}
      AND a."sourceId" = change."sourceId"
    JOIN cards c ON c.id = a."cardId" JOIN boards b ON b.id = c."boardId"
    WHERE change.${sql.identifier(side)} IS NOT NULL AND ${isVisible(viewer)}`;
  // Another person who is the same member may be assigned to the card.
  await query(sql`
    DELETE FROM card_members cm USING (${pairs("from")}) pair
    WHERE cm."cardId" = pair."cardId" AND cm."memberId" = pair."memberId"
      AND NOT EXISTS (SELECT 1 FROM imported_assignments a
        JOIN imported_people p ON p."workspaceId" = a."workspaceId" AND p.source = a.source
          AND p."sourceId" = a."sourceId"
        WHERE a."cardId" = cm."cardId" AND p."memberId" = cm."memberId")`);
  await query(assignMembers(pairs("to"), now));
  void keepParts(
    query,
    sql`c.id IN (SELECT a."cardId" FROM (${changes}) change
    JOIN imported_assignments a ON a."workspaceId" = ${workspaceId} AND a.source = ${family}
      AND a."sourceId" = change."sourceId")`,
  );
  await query(assignItems(changes, { source: row, viewer, now }));
}

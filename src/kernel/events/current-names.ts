import { z } from "zod";
import { catalog } from "../../contract/events.ts";
import { MemberRef } from "../../contract/resources/members.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Query } from "../../platform/db/query.ts";
import { schemaParts } from "../access/filter-output.ts";
import { memberName } from "../access/member-name.ts";
import type { LogRow } from "./log.ts";
import { getOrInsert } from "../../platform/maps.ts";

type Schema = z.core.$ZodType;
type Member = z.infer<typeof MemberRef>;
/** The members of a workspace by their public ids, and its card prefix. */
type Names = { members: ReadonlyMap<string, Member>; prefix: string };
type Row = Pick<LogRow, "type" | "data">;

const namingSchemas = new WeakMap<Schema, boolean>();

/** Whether values of a schema contain members or card numbers. */
const showsNames = (schema: Schema): boolean =>
  getOrInsert(namingSchemas, schema, () => {
    const isNumbered = schema instanceof z.ZodObject && "cardNumber" in schema.shape;
    return schema === MemberRef || isNumbered || schemaParts(schema).some(showsNames);
  });

/**
 * Shows events with the names, images and card prefix that members and workspace have now.
 *
 * A write that runs at the same time as a rename does not wait for it, and may store the old name
 * in an event that comes after the rename in the log. So these names are read after the events,
 * like permissions. The events of a rename have the new name, which cannot be older than their log.
 */
export async function withCurrentNames<Shown extends Row>(
  query: Query,
  workspaceId: bigint,
  rows: Shown[],
): Promise<Shown[]> {
  const isShown = rows.map(({ type }) => showsNames(catalog[type].data));
  if (!isShown.includes(true)) return rows;
  const ids = new Set<string>();
  const collect = (member: Member) => {
    ids.add(member.publicId);
    return member;
  };
  const collecting: Replacements = { member: collect, number: (text) => text };
  for (const [nth, row] of rows.entries())
    if (isShown[nth] === true) replaceInEvent(row, collecting);
  const { members, prefix } = await readNames(query, workspaceId, [...ids]);
  const current: Replacements = {
    member: (member) => members.get(member.publicId) ?? member,
    number: (text) => text.replace(/^.*-/, `${prefix}-`),
  };
  return rows.map((row, nth) => (isShown[nth] === true ? replaceInEvent(row, current) : row));
}

async function readNames(query: Query, workspaceId: bigint, ids: string[]): Promise<Names> {
  const rows = await query<Omit<Member, "publicId"> & { publicId: string | null }>(sql`
    SELECT m."publicId", ${memberName} AS name, u.image
    FROM members m LEFT JOIN users u ON u.id = m."userId"
    WHERE m."publicId" = ANY(${ids}::text[]) AND m."workspaceId" = ${workspaceId}
      AND m.status <> 'removed'
    UNION ALL SELECT NULL, "cardPrefix", NULL FROM workspaces WHERE id = ${workspaceId}`);
  const members = rows.flatMap(({ publicId, ...names }): [string, Member][] =>
    publicId === null ? [] : [[publicId, { publicId, ...names }]],
  );
  const prefix = rows.find(({ publicId }) => publicId === null)?.name ?? "";
  return { members: new Map(members), prefix };
}

/** How to replace each member and each card number. */
type Replacements = { member: (member: Member) => Member; number: (text: string) => string };

const replaceInEvent = <Shown extends Row>(row: Shown, replacements: Replacements): Shown => ({
  ...row,
  data: replaceNames(catalog[row.type].data, row.data, replacements),
});

/** Replaces the members and card numbers in a value. */
function replaceNames(schema: Schema, value: unknown, replacements: Replacements): unknown {
  if (value === null || value === undefined || !showsNames(schema)) return value;
  if (schema === MemberRef) return replaceMember(value, replacements);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const items = value.map((item: unknown) => replaceNames(schema.element, item, replacements));
    return schema.element === MemberRef ? sortMembers(items) : items;
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return replaceNames(schema.unwrap(), value, replacements);
  return schema instanceof z.ZodObject ? replaceInFields(schema, value, replacements) : value;
}

/** Replaces a member, unless the event is of an older version that showed less of members. */
function replaceMember(value: unknown, { member }: Replacements): unknown {
  const { data } = MemberRef.safeParse(value);
  return data === undefined ? value : member(data);
}

/** Sorts members by name, then by id. */
function sortMembers(items: unknown[]): unknown[] {
  const members = z.array(MemberRef).safeParse(items).data;
  return (
    members?.toSorted((one, other) => {
      if (one.name !== other.name) return one.name < other.name ? -1 : 1;
      return one.publicId < other.publicId ? -1 : 1;
    }) ?? items
  );
}

/** Replaces the names in an object. A comment names its author twice: `author`, `authorName`. */
function replaceInFields(schema: z.ZodObject, value: unknown, replacements: Replacements): unknown {
  if (typeof value !== "object" || value === null) return value;
  const fields: Record<string, unknown> = { ...value };
  for (const [field, part] of Object.entries<Schema>(schema.shape)) {
    if (field in fields) fields[field] = replaceNames(part, fields[field], replacements);
  }
  const { cardNumber, author, authorName } = fields;
  if (typeof cardNumber === "string") fields["cardNumber"] = replacements.number(cardNumber);
  const { data } = MemberRef.safeParse(author);
  if (data !== undefined && authorName !== undefined) fields["authorName"] = data.name;
  return fields;
}

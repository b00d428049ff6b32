import type { Operation } from "../../../src/contract/policy.ts";
import { idFields, routeOf, type Input } from "./call.ts";
import type { Fixtures, Kind } from "./fixtures.ts";

/** The kind of resource of an id field. Others are named like one, with a prefix or a plural. */
const kinds: Record<string, Kind> = {
  workspacePublicId: "workspace",
  boardPublicId: "board",
  listPublicId: "list",
  cardPublicId: "card",
  labelPublicId: "label",
  fieldPublicId: "field",
  viewPublicId: "view",
  checklistPublicId: "checklist",
  checklistItemPublicId: "checklistItem",
  relationPublicId: "relation",
  commentPublicId: "comment",
  attachmentPublicId: "attachment",
  notificationPublicId: "notification",
  memberPublicId: "member",
  rolePublicId: "role",
  webhookPublicId: "webhook",
  deliveryPublicId: "delivery",
  sessionPublicId: "session",
  apiKeyPublicId: "apiKey",
  appPublicId: "app",
  identityPublicId: "identity",
  secondFactorPublicId: "secondFactor",
  importPublicId: "import",
  userPublicId: "user",
  moveMembersTo: "role",
  "filter members": "member",
  "filter labels": "label",
  "filter lists": "list",
};

const lowerFirst = (_: string, first: string) => first.toLowerCase();

/**
 * The kind of resource that a field names: `beforeCardPublicId` a card, `memberPublicIds` members.
 */
export const kindOfField = (field: string): Kind | undefined =>
  kinds[field] ??
  kinds[
    field
      .replace(/^(?:before|after|source|target|related|add|remove)([A-Z])/, lowerFirst)
      .replace(/Ids$/, "Id")
  ];

const filtered: ReadonlySet<Operation> = new Set([
  "board.get",
  "board.cards",
  "board.queryCards",
  "board.groups",
]);

/** Whether a field filters a listing: an unknown id matches no rows. */
export const isFilter = (field: string) => field.startsWith("filter ");

/** Whether a field names a neighbour. */
export const isAnchor = (field: string) => /^(before|after)/.test(field);

/** Whether one field names a whole set that the other adds to or removes from. */
export const excludeEachOther = (one: string, other: string) =>
  wholeSetOf(one) === other || wholeSetOf(other) === one;

/** The field of the whole set that a field changes: `labelPublicIds` for `addLabelPublicIds`. */
const wholeSetOf = (field: string): string | undefined =>
  /^(?:add|remove)[A-Z].*Ids$/.test(field)
    ? field.replace(/^(?:add|remove)([A-Z])/, lowerFirst)
    : undefined;

/** Every field of an operation's input that can name another tenant's resource. */
function foreignFields(operation: Operation): string[] {
  const { shape } = routeOf(operation).schema;
  const filters = ["members", "labels", "lists"].map((field) => `filter ${field}`);
  return [
    ...idFields(operation),
    ...(Object.hasOwn(shape, "moveMembersTo") ? ["moveMembersTo"] : []),
    ...(filtered.has(operation) ? filters : []),
  ];
}

/**
 * Every such field by itself, and those that the input has all at once; an operation without any is
 * given one that it does not know.
 */
export function choices(operation: Operation, input: Input): string[][] {
  const fields = foreignFields(operation);
  const present = fields.filter((field) => Object.hasOwn(input, field));
  const each = fields.map((field) => [field]);
  if (each.length === 0) return [["workspacePublicId"], ["cardPublicId"]];
  return present.length > 1 ? [...each, present] : each;
}

/** The statuses for a valid credential: 409 for a foreign neighbour, else 404 or 403. */
export function fitting(operation: Operation, fields: string[]): number[] {
  // Providers send people back with more than we asked for.
  if (operation === "integration.callback") return [200, 400];
  if (operation === "signIn.callback") return [200, 303, 400];
  if (foreignFields(operation).length === 0) return [400, 403];
  if (fields.some(isFilter)) return [200, 403, 404];
  return fields.some(isAnchor) ? [403, 404, 409] : [403, 404];
}

/** An input with the ids of fixtures in some of its fields. */
export function withIdsOf(input: Input, fields: string[], from: Fixtures): Input {
  const ids = fields.map((field): [string, unknown] => {
    const kind = kindOfField(field);
    if (kind === undefined) throw new Error(`${field} is not known to test/access/foreign.ts`);
    return [field.replace("filter ", ""), field.endsWith("s") ? [from.ids[kind]] : from.ids[kind]];
  });
  return { ...input, ...Object.fromEntries(ids) };
}

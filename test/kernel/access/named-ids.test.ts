import { z } from "zod";
import { expect, test } from "vitest";
import { catalog, eventTypes } from "../../../src/contract/events.ts";
import { ruleOf, viewsOf, type Operation } from "../../../src/contract/policy.ts";
import { MemberRef } from "../../../src/contract/resources/members.ts";
import type { Permission } from "../../../src/contract/vocabulary/permissions.ts";
import { viewPermissionOf } from "../../../src/contract/vocabulary/view-permissions.ts";
import { schemaParts, viewPermissionsIn } from "../../../src/kernel/access/filter-output.ts";
import { requiredFor } from "../../../src/kernel/events/redact.ts";
import { operations } from "./call.ts";
import { outputOf } from "./view-scene.ts";

/**
 * Who may know the id of a resource: holders of one of these permissions.
 *
 * A card shows its list, its board, its parts and its assignees; a comment shows its author.
 */
const knownWith: Readonly<Record<string, readonly Permission[]>> = {
  workspace: [],
  event: [],
  board: ["board:view", "list:view", "card:view"],
  label: ["board:view", "card:view"],
  field: ["board:view"],
  fieldOption: ["board:view"],
  view: ["board:view"],
  list: ["list:view", "card:view"],
  card: ["card:view"],
  checklist: ["card:view"],
  attachment: ["card:view"],
  relation: ["card:view"],
  comment: ["comment:view"],
  member: ["member:view", "card:view", "comment:view"],
  role: ["member:view"],
};

/** What shows ids to others, with the reason. */
const accepted: Readonly<Record<string, string>> = {
  "member.joined memberPublicId": "cards show members to readers without member:view",
  "member.updated memberPublicId": "cards show members to readers without member:view",
  "member.removed memberPublicId": "cards show members to readers without member:view",
  "access.gained boardPublicId": "for members who see the board",
  "access.lost boardPublicId": "for members who have seen the board",
  "access.gained memberPublicIds": "left out of what readers get",
  "access.lost memberPublicIds": "left out of what readers get",
  "auth.apiKeys boardPublicId": "a key of the caller",
  "auth.createApiKey boardPublicId": "a key of the caller",
  "serviceAccount.keys boardPublicId": "admins see all boards",
  "serviceAccount.createKey boardPublicId": "admins see all boards",
  "workspace.get memberPublicId": "the caller",
  "workspace.getBySlug memberPublicId": "the caller",
  "workspace.update memberPublicId": "the caller",
  "workspace.restore memberPublicId": "the caller",
  "invite.accept memberPublicId": "the caller",
  "invite.accept rolePublicId": "the role of the caller",
  "user.preferences userPublicId": "the caller",
  "user.updatePreferences userPublicId": "the caller",
  "board.addMember memberPublicId": "the caller names it",
  "comment.create cardPublicId": "the caller names it",
  "comment.update cardPublicId": "the caller names it",
  "webhook.redeliver webhookPublicId": "the caller names it",
  "operator.retryDelivery webhookPublicId": "operators see all webhooks",
  "workspace.search items cardPublicId": "it finds what the caller may view",
  "workspace.search items boardPublicId": "it finds what the caller may view",
  "workspace.trash items boardPublicId": "it lists what the caller may view",
  "workspace.trash items fieldPublicId": "it lists what the caller may view",
  "workspace.events items boardPublicId": "each event is redacted",
  "attachment.prepare attachmentPublicId": "the caller adds it",
};

/** A webhook gets the events of all boards, so its managers may know its board. */
const isAccepted = (path: string) =>
  path in accepted || (path.startsWith("webhook.") && path.endsWith(" boardPublicId"));

type Schema = z.core.$ZodType;
type Held = ReadonlySet<Permission>;

/** The kind of resource that a field names: `fromListPublicIds` names lists. */
const kindOf = (field: string) =>
  /(?:^|[a-z])([A-Z]?[a-z]+)PublicIds?$/.exec(field)?.[1]?.toLowerCase();

/** The fields of a schema that name a resource which holders of `held` may not know. */
function exposed(schema: Schema, held: Held, path: string): string[] {
  const permission = viewPermissionOf(schema);
  const all = permission === undefined ? held : new Set([...held, permission]);
  const isKnown = (kind: string) =>
    knownWith[kind]?.length === 0 || knownWith[kind]?.some((one) => all.has(one));
  if (schema === MemberRef) return isKnown("member") ? [] : [path];
  if (!(schema instanceof z.ZodObject)) {
    return schemaParts(schema).flatMap((part) => exposed(part, all, path));
  }
  return Object.entries<Schema>(schema.shape).flatMap(([field, part]) => {
    const kind = kindOf(field);
    const own = viewPermissionsIn(part);
    const isShown =
      kind === undefined || isKnown(kind) || knownWith[kind]?.some((one) => own.has(one));
    return isShown ? exposed(part, all, `${path} ${field}`) : [`${path} ${field}`];
  });
}

test("events name resources only to those who may view such", () => {
  const found = eventTypes.flatMap((type) =>
    exposed(catalog[type].data, new Set(requiredFor(type)), type),
  );
  expect(found.filter((path) => !isAccepted(path))).toEqual([]);
});

const held = (operation: Operation): Held => {
  const rule = ruleOf(operation);
  if (!("needs" in rule)) return new Set();
  const needs = rule.needs === "member" || rule.orCreator === true ? [] : [rule.needs];
  return new Set([...needs, ...viewsOf(rule)]);
};

test("answers name resources only to those who may view such", () => {
  const found = operations.flatMap((operation) => {
    const output = outputOf(operation);
    return output === undefined ? [] : exposed(output, held(operation), operation);
  });
  expect(found.filter((path) => !isAccepted(path))).toEqual([]);
});

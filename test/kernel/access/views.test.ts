import { z } from "zod";
import { describe, expect, test } from "vitest";
import { catalog, eventTypes } from "../../../src/contract/events.ts";
import { ruleOf, viewsOf } from "../../../src/contract/policy.ts";
import { permissions } from "../../../src/contract/vocabulary/permissions.ts";
import { viewPermissionOf } from "../../../src/contract/vocabulary/view-permissions.ts";
import {
  filterOutput,
  requiredToView,
  viewPermissionsIn,
} from "../../../src/kernel/access/filter-output.ts";
import { hiddenFields, withoutFields } from "../../../src/kernel/events/redact.ts";
import { operations } from "./call.ts";
import { outputOf } from "./view-scene.ts";
import { testViews } from "./views.ts";

// Some readers of each operation, in turn. views.long.test.ts has all.
testViews((readers, turn) => readers.filter((_, nth) => nth % 6 === turn % 6), 1);

/** Schemas whose content no permission to view protects, or whose handler filters it itself. */
const unprotected: ReadonlySet<string> = new Set([
  "AcceptedInvite",
  "Activity",
  "Actor",
  "ApiKey",
  "AuditEntry",
  "Authorization",
  "BatchResult",
  "BatchResults",
  "BoardEvent",
  "BoardSlugAvailability",
  "BulkUpdate",
  "Connected",
  "CsvCard",
  "CsvColumn",
  "CsvPreview",
  "Delivery",
  "DeliveryAttempt",
  "DeliveryWithAttempts",
  "DeliveryWithWebhook",
  "Download",
  "Event",
  "EventDescription",
  "External",
  "FileInfo",
  "FileUrl",
  "Health",
  "Identity",
  "Import",
  "ImportCount",
  "ImportLoss",
  "ImportLossExample",
  "ImportLossGroup",
  "ImportProgress",
  "ImportedAuthor",
  "ImportedPerson",
  "ImportReport",
  "Invite",
  "InvitePreview",
  "MappedPeople",
  "MemberPermissions",
  // It is part of cards, whose permission covers it; the card in `NextCard` has its own.
  "ChildCounts",
  "RelatedCards",
  "Claim",
  "MemberRef",
  "NextCard",
  "MyPermissions",
  "NewApiKey",
  "NewWebhook",
  "NoInvite",
  "Notification",
  "NotificationChannels",
  "NotificationSettings",
  "Preferences",
  "ProviderStatus",
  "PublicBoard",
  "PublicCard",
  "PublicField",
  "PublicList",
  "Replay",
  "RolePermissions",
  "RotatedSecret",
  "SearchHit",
  "AppInfo",
  "ConnectionRequest",
  "DeviceAuthorization",
  "DeviceRequest",
  "Decided",
  "GrantTokens",
  "RegisteredApp",
  "WorkspaceApp",
  "Session",
  "SignedIn",
  "AddedSecondFactor",
  "PasskeyAlgorithm",
  "PasskeyCreationOptions",
  "PasskeyDescriptor",
  "RecoveryCodes",
  "SecondFactor",
  "SecondFactors",
  "StartedPasskey",
  "StartedTotp",
  "SignInProvider",
  "SlugAvailability",
  "StartedSignIn",
  "StreamTicket",
  "Success",
  "ToggledLabel",
  "Tokens",
  "Trashed",
  "UploadUrl",
  "User",
  "Vocabulary",
  "Webhook",
  "WebhookDetail",
  "WebhookHealth",
  "WebhookTestResult",
  "WebhookInfo",
]);

/** Every object schema within a schema. */
function objectsIn(schema: z.core.$ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) {
    return [schema, ...Object.values<z.core.$ZodType>(schema.shape).flatMap(objectsIn)];
  }
  if (schema instanceof z.ZodArray) return objectsIn(schema.element);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return objectsIn(schema.unwrap());
  }
  return schema instanceof z.ZodUnion ? schema.options.flatMap(objectsIn) : [];
}

/** The numbers of what a caller has made or started, and what they are. */
const ownNumbers = [
  // The version of what the call has written.
  /\.version$/,
  // What the input has.
  /^attachment\.(upload|link)\.size$/,
  /^checklist\.create\.itemCount$/,
  // A new card has none; `again` requires card:view.
  /^card\.create\.attachmentCount$/,
  // The import is the caller's own, or the caller manages the workspace.
  /^import\.\w+(\.items\[\])?\.(progress|counts)\b/,
  /^import\.(get|report|people)\./,
  // Who may invite sees the link.
  /^invite\.\w+\.(maxUses|uses)$/,
];

/** The numbers of an answer that no permission to view protects, by their paths. */
function uncoveredNumbers(schema: z.core.$ZodType, path = "", isWhole = true): string[] {
  if (!isWhole && viewPermissionOf(schema) !== undefined) return [];
  if (schema instanceof z.ZodNumber) return [path];
  if (schema instanceof z.ZodObject) {
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, part]) =>
      uncoveredNumbers(part, `${path}.${name}`, false),
    );
  }
  if (schema instanceof z.ZodArray) return uncoveredNumbers(schema.element, `${path}[]`, false);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return uncoveredNumbers(schema.unwrap(), path, false);
  }
  if (!(schema instanceof z.ZodUnion)) return [];
  return schema.options.flatMap((option) => uncoveredNumbers(option, path, false));
}

/** A value that a schema could show, with nothing left out. */
function fullValueOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.core.$ZodType>(schema.shape);
    return Object.fromEntries(fields.map(([name, part]) => [name, fullValueOf(part)]));
  }
  if (schema instanceof z.ZodArray) return [fullValueOf(schema.element)];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return fullValueOf(schema.unwrap());
  }
  return schema instanceof z.ZodNumber ? 1 : "text";
}

/** The schema of a value, or of the values of an array. */
const elementOf = (schema: z.core.$ZodType) =>
  schema instanceof z.ZodArray ? schema.element : schema;

describe("the permissions to view", () => {
  test("are declared by every named schema of an output, or the schema is listed here", () => {
    const named = operations.flatMap((operation) => {
      const output = outputOf(operation);
      // Operators have no permissions in workspaces.
      const isOperators = ruleOf(operation).on === "operator";
      return output === undefined || isOperators ? [] : objectsIn(output);
    });
    const missing = named
      .filter((schema) => viewPermissionOf(schema) === undefined)
      .flatMap((schema) => schema.meta()?.id ?? [])
      .filter((id) => !unprotected.has(id));
    expect([...new Set(missing)].toSorted()).toEqual([]);
  });

  test.each(operations)("are required by the policy row where an output needs them: %s", (name) => {
    const output = outputOf(name);
    const rule = ruleOf(name);
    if (output === undefined || !("needs" in rule) || rule.returnsInput) return;
    const held: ReadonlySet<string> = new Set([
      ...(rule.orCreator ? [] : [rule.needs]),
      ...viewsOf(rule),
    ]);
    expect([...requiredToView(output)].filter((permission) => !held.has(permission))).toEqual([]);
  });

  test("cover each number of an answer that its caller may not be allowed to count", () => {
    const uncovered = operations.flatMap((name) => {
      const output = outputOf(name);
      const rule = ruleOf(name);
      if (output === undefined || !("needs" in rule)) return [];
      const held = [...(rule.orCreator ? [] : [rule.needs]), ...viewsOf(rule)];
      if (held.some((permission) => permission.endsWith(":view")) && !rule.returnsInput) return [];
      if (held.includes("workspace:manage")) return [];
      return uncoveredNumbers(output).map((path) => `${name}${path}`);
    });
    const counting = uncovered.filter((path) => !ownNumbers.some((own) => own.test(path)));
    expect(counting).toEqual([]);
  });

  test("leave an answer to each reader who lacks one that the output does not require", () => {
    let filtered = 0;
    for (const operation of operations) {
      const output = outputOf(operation);
      if (output === undefined) continue;
      const required = requiredToView(output);
      const value = fullValueOf(output);
      for (const lacking of viewPermissionsIn(output)) {
        if (required.has(lacking)) continue;
        const held = new Set(permissions.filter((permission) => permission !== lacking));
        const shown = filterOutput(output, value, held);
        expect([operation, lacking, shown]).not.toEqual([operation, lacking, value]);
        filtered++;
      }
    }
    expect(filtered).toBeGreaterThan(50);
  });

  test("are declared by every number beside the resources of an event", () => {
    const missing = eventTypes.flatMap((type) =>
      Object.entries<z.core.$ZodType>(catalog[type].data.shape)
        .filter(([, schema]) => schema instanceof z.ZodNumber)
        .filter(([, schema]) => viewPermissionOf(schema) === undefined)
        .map(([field]) => `${type} ${field}`),
    );
    // Only readers of the import get its events.
    expect(missing).toEqual(["import.people_mapped people"]);
  });

  test("leave the kind of an event to a reader who may not see what it counts", () => {
    const type = "field.deleted";
    const may = new Set(permissions.filter((permission) => permission !== "card:view"));
    const row = { type, data: { clearedCards: 12 } } as const;
    expect(withoutFields(row, hiddenFields(type, may)).data).toEqual({ clearedCards: 0 });
  });

  test("are declared by every resource in the data of an event", () => {
    const missing = eventTypes.flatMap((type) =>
      Object.entries<z.core.$ZodType>(catalog[type].data.shape).flatMap(([field, schema]) =>
        objectsIn(schema)
          // An object without a name is a part of the resource around it.
          .filter((one) => one === elementOf(schema) || one.meta()?.id !== undefined)
          .filter((one) => viewPermissionOf(one) === undefined)
          .map((one) => one.meta()?.id ?? field)
          // Where a resource was, and where it is: ids and positions.
          .filter((name) => !unprotected.has(name) && !["from", "to"].includes(name)),
      ),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});

import { expect, test } from "vitest";
import { z } from "zod";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import type { ResourceKind } from "../../../src/contract/vocabulary/resource-kinds.ts";

/** The fields of each kind of resource that say where it is, which a write answers. */
const parentFields: { readonly [Kind in ResourceKind]?: readonly string[] } = {
  board: ["workspacePublicId"],
  list: ["boardPublicId", "index"],
  card: ["boardPublicId", "listPublicId", "index"],
  label: ["boardPublicId"],
  checklist: ["cardPublicId", "index"],
  checklistItem: ["checklistPublicId", "index"],
};

/** The writes of a workspace without a whole resource, by reason. docs/rest.md names them. */
const exceptions: Record<string, readonly Operation[]> = {
  "it is gone": [
    ...(["workspace.delete", "board.delete", "list.delete", "card.delete"] as const),
    ...(["label.delete", "checklist.delete", "checklist.deleteItem", "comment.delete"] as const),
    ...(["attachment.delete", "webhook.delete", "role.delete"] as const),
    ...(["member.remove", "member.leave", "invite.deactivateLink"] as const),
  ],
  "it changes many": ["list.sort", "list.moveCards", "card.bulkUpdate", "workspace.batch"],
  "it changes who has a board": ["board.favourite", "board.addMember", "board.removeMember"],
  "it answers the new role": ["member.updateRole"],
  "the workspace stays the same": ["board.update"],
  "it makes a URL, a link or a secret": [
    ...(["attachment.prepare", "invite.createLink", "webhook.rotateSecret"] as const),
  ],
  "it sends or maps": [
    ...(["webhook.test", "webhook.redeliver", "webhook.replay", "import.mapPeople"] as const),
  ],
};

test("a write answers its resource with version and position, or is a documented exception", () => {
  const without = routesOf(appRouter).filter(({ operation, procedure, represents }) => {
    const rule = ruleOf(operation);
    if (procedure._def.type !== "mutation" || !("needs" in rule)) return false;
    const { output } = procedure._def as { output?: z.ZodType };
    const shape = output instanceof z.ZodObject ? output.shape : {};
    const parents = parentFields["creates" in rule ? rule.creates : rule.on] ?? [];
    const isWhole = ["publicId", "version", ...parents].every((field) => field in shape);
    return represents === undefined && !isWhole;
  });
  const names = without.map(({ operation }) => operation);
  expect(names.toSorted()).toEqual(Object.values(exceptions).flat().toSorted());
});

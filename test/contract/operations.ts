import { unknownId, type World } from "./world.ts";

/** The ids of a path and of a body's target, by field. */
type Ids = Record<string, string>;

/** One of the 16 operations: a valid call and who may make it. */
export type Operation = {
  name: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  /** The `{ids}` of the path in a world. */
  ids: (world: World) => Ids;
  /** A valid body, if the operation has one. */
  body?: (world: World) => Record<string, unknown>;
  query?: string;
  /** The required permission, if any. */
  needs?: string;
  /** Whether a guest may call it. */
  openToGuests?: true;
  /** The interface declares no 400, so unknown query parameters are ignored. */
  ignoresQuery?: true;
};

const noIds = () => ({});

/** The 16 operations in the interface's order. */
export const operations: Operation[] = [
  { name: "workspace.list", method: "GET", path: "/workspaces", ids: noIds, ignoresQuery: true },
  {
    name: "workspace.create",
    method: "POST",
    path: "/workspaces",
    ids: noIds,
    body: () => ({ name: "New" }),
  },
  {
    name: "workspace.delete",
    method: "DELETE",
    path: "/workspaces/{workspacePublicId}",
    ids: ({ workspace }) => ({ workspacePublicId: workspace.publicId }),
    needs: "workspace:delete",
  },
  {
    name: "permission.ofMember",
    method: "GET",
    path: "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions",
    ids: ({ workspace, member }) => ({
      workspacePublicId: workspace.publicId,
      memberPublicId: member.memberPublicId,
    }),
    needs: "member:view",
    openToGuests: true,
  },
  {
    name: "permission.revokeFromMember",
    method: "POST",
    path: "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions/revoke",
    ids: ({ workspace, member }) => ({
      workspacePublicId: workspace.publicId,
      memberPublicId: member.memberPublicId,
    }),
    body: () => ({ permission: "card:create" }),
    needs: "member:edit",
  },
  {
    name: "role.grant",
    method: "POST",
    path: "/workspaces/{workspacePublicId}/roles/{rolePublicId}/permissions/grant",
    ids: ({ workspace }) => ({
      workspacePublicId: workspace.publicId,
      rolePublicId: workspace.roles.guest,
    }),
    body: () => ({ permission: "card:create" }),
    needs: "workspace:manage",
  },
  {
    name: "webhook.delete",
    method: "DELETE",
    path: "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
    ids: ({ workspace, webhook }) => ({
      workspacePublicId: workspace.publicId,
      webhookPublicId: webhook,
    }),
    needs: "workspace:manage",
  },
  {
    name: "webhook.test",
    method: "POST",
    path: "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/test",
    ids: ({ workspace, webhook }) => ({
      workspacePublicId: workspace.publicId,
      webhookPublicId: webhook,
    }),
    needs: "workspace:manage",
  },
  {
    name: "list.create",
    method: "POST",
    path: "/lists",
    ids: noIds,
    body: ({ board }) => ({ name: "New", boardPublicId: board }),
    needs: "list:create",
  },
  {
    name: "card.update",
    method: "PUT",
    path: "/cards/{cardPublicId}",
    ids: ({ card }) => ({ cardPublicId: card }),
    body: () => ({ title: "Changed" }),
    needs: "card:edit",
  },
  {
    name: "card.toggleLabel",
    method: "PUT",
    path: "/cards/{cardPublicId}/labels/{labelPublicId}",
    ids: ({ card, label }) => ({ cardPublicId: card, labelPublicId: label }),
    needs: "card:edit",
  },
  {
    name: "label.update",
    method: "PUT",
    path: "/labels/{labelPublicId}",
    ids: ({ label }) => ({ labelPublicId: label }),
    body: () => ({ name: "Changed", colourCode: "#000000" }),
    needs: "card:edit",
  },
  {
    name: "checklist.deleteItem",
    method: "DELETE",
    path: "/checklists/items/{checklistItemPublicId}",
    ids: ({ item }) => ({ checklistItemPublicId: item }),
    needs: "card:edit",
  },
  { name: "integration.authorize", method: "GET", path: "/integration/authorize", ids: noIds },
  {
    name: "integration.githubProjects",
    method: "GET",
    path: "/integrations/github/projects",
    ids: noIds,
    ignoresQuery: true,
  },
  {
    name: "import.trelloBoards",
    method: "GET",
    path: "/imports/trello/boards",
    ids: noIds,
    query: `?apiKey=${"k".repeat(32)}&token=${"t".repeat(76)}`,
    ignoresQuery: true,
  },
];

/** The ids in an operation's path. */
export const idsOf = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => id);

/** The operations with a target, which can be 404 or 403. */
export const targeted = operations.filter(({ needs }) => needs !== undefined);

/** An operation's path with these ids, percent-encoded. */
export const addressOf = ({ path, query = "" }: Operation, ids: Ids) =>
  path.replace(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(ids[id] ?? "")) + query;

/** A valid call in a world, with other ids or fields where given. */
export function callOf(
  operation: Operation,
  world: World,
  other: { ids?: Ids; body?: unknown } = {},
) {
  const body = "body" in other ? other.body : operation.body?.(world);
  return {
    method: operation.method,
    path: addressOf(operation, { ...operation.ids(world), ...other.ids }),
    ...(body === undefined ? {} : { body }),
  };
}

/** The call on an unknown target. For toggleLabel the target is the card. */
export function callOnNothing(operation: Operation, world: World) {
  const target = idsOf(operation).findLast(
    (id) => id !== "labelPublicId" || operation.name === "label.update",
  );
  return target === undefined
    ? callOf(operation, world, {
        body: { ...operation.body?.(world), boardPublicId: unknownId },
      })
    : callOf(operation, world, { ids: { [target]: unknownId } });
}

/** The call with an invalid input. */
export function badCallOf(operation: Operation, world: World) {
  const good = callOf(operation, world);
  if (operation.method === "GET" || operation.method === "DELETE") {
    return { ...good, path: `${good.path}${good.path.includes("?") ? "&" : "?"}nonsense=1` };
  }
  return { ...good, body: { ...operation.body?.(world), nonsense: 1 } };
}

/** Every operation as it is promised: its name, method, path under `/api/v1`, and who may. Written by hand, never made from the policy. */
export const surface: [name: string, method: string, path: string, need: string][] = [
  ["auth.register", "POST", "/auth/register", "public"],
  ["auth.login", "POST", "/auth/login", "public"],
  ["auth.refresh", "POST", "/auth/refresh", "public"],
  ["auth.logout", "POST", "/auth/logout", "self"],
  ["auth.sessions", "GET", "/auth/sessions", "self"],
  ["auth.revokeSession", "DELETE", "/auth/sessions/{sessionPublicId}", "self"],
  ["auth.apiKeys", "GET", "/auth/api-keys", "self"],
  ["auth.createApiKey", "POST", "/auth/api-keys", "self"],
  ["auth.revokeApiKey", "DELETE", "/auth/api-keys/{apiKeyPublicId}", "self"],

  ["user.me", "GET", "/users/me", "self"],

  ["workspace.list", "GET", "/workspaces", "self"],
  ["workspace.create", "POST", "/workspaces", "self"],
  ["workspace.get", "GET", "/workspaces/{workspacePublicId}", "workspace:view"],
  ["workspace.update", "PUT", "/workspaces/{workspacePublicId}", "workspace:edit"],
  ["workspace.delete", "DELETE", "/workspaces/{workspacePublicId}", "workspace:delete"],

  ["member.list", "GET", "/workspaces/{workspacePublicId}/members", "member:view"],
  ["invite.createLink", "POST", "/workspaces/{workspacePublicId}/invites", "member:invite"],
  ["invite.accept", "POST", "/invites/accept", "self"],

  [
    "permission.ofMember",
    "GET",
    "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions",
    "member:view",
  ],
  [
    "permission.revokeFromMember",
    "POST",
    "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions/revoke",
    "member:edit",
  ],
  ["role.list", "GET", "/workspaces/{workspacePublicId}/roles", "member:view"],
  [
    "role.grant",
    "POST",
    "/workspaces/{workspacePublicId}/roles/{rolePublicId}/permissions/grant",
    "workspace:manage",
  ],

  ["board.list", "GET", "/workspaces/{workspacePublicId}/boards", "board:view"],
  ["board.get", "GET", "/boards/{boardPublicId}", "board:view"],
  ["board.getBySlug", "GET", "/workspaces/by-slug/{workspaceSlug}/boards/{boardSlug}", "public"],
  ["board.cards", "GET", "/boards/{boardPublicId}/cards", "card:view"],
  ["board.create", "POST", "/workspaces/{workspacePublicId}/boards", "board:create"],
  ["board.update", "PUT", "/boards/{boardPublicId}", "board:edit ∨ creator"],
  ["board.delete", "DELETE", "/boards/{boardPublicId}", "board:delete ∨ creator"],
  ["board.restore", "POST", "/boards/{boardPublicId}/restore", "board:delete ∨ creator"],
  ["board.move", "POST", "/boards/{boardPublicId}/move", "board:delete"],
  ["board.favourite", "PUT", "/boards/{boardPublicId}/favourite", "board:view"],
  ["board.checkSlugAvailability", "GET", "/boards/{boardPublicId}/check-slug-availability", "board:edit ∨ creator"],
  ["board.members", "GET", "/boards/{boardPublicId}/members", "board:view"],
  ["board.addMember", "PUT", "/boards/{boardPublicId}/members/{memberPublicId}", "board:edit ∨ creator"],
  ["board.removeMember", "DELETE", "/boards/{boardPublicId}/members/{memberPublicId}", "board:edit ∨ creator"],
  ["board.activity", "GET", "/boards/{boardPublicId}/activities", "board:view"],

  ["list.get", "GET", "/lists/{listPublicId}", "list:view"],
  ["list.create", "POST", "/lists", "list:create"],

  ["card.create", "POST", "/cards", "card:create"],
  ["card.get", "GET", "/cards/{cardPublicId}", "card:view"],
  ["card.update", "PUT", "/cards/{cardPublicId}", "card:edit ∨ creator"],
  ["card.delete", "DELETE", "/cards/{cardPublicId}", "card:delete ∨ creator"],
  ["card.toggleLabel", "PUT", "/cards/{cardPublicId}/labels/{labelPublicId}", "card:edit"],

  ["label.create", "POST", "/labels", "card:edit"],
  ["label.update", "PUT", "/labels/{labelPublicId}", "card:edit"],

  ["checklist.create", "POST", "/cards/{cardPublicId}/checklists", "card:edit"],
  ["checklist.addItem", "POST", "/checklists/{checklistPublicId}/items", "card:edit"],
  ["checklist.deleteItem", "DELETE", "/checklists/items/{checklistItemPublicId}", "card:edit"],

  ["webhook.list", "GET", "/workspaces/{workspacePublicId}/webhooks", "workspace:manage"],
  ["webhook.create", "POST", "/workspaces/{workspacePublicId}/webhooks", "workspace:manage"],
  [
    "webhook.delete",
    "DELETE",
    "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
    "workspace:manage",
  ],
  [
    "webhook.test",
    "POST",
    "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/test",
    "workspace:manage",
  ],

  ["integration.authorize", "GET", "/integration/authorize", "self"],
  ["integration.callback", "GET", "/integration/callback/{provider}", "public"],
  ["integration.githubProjects", "GET", "/integrations/github/projects", "self"],
  ["import.trelloBoards", "GET", "/imports/trello/boards", "self"],

  ["health.check", "GET", "/health", "public"],
];

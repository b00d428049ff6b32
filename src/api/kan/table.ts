import * as boards from "./boards.ts";
import * as cards from "./cards.ts";
import type { RestCalls } from "./rest-calls.ts";
import { checkWorkspaceSlug } from "./slugs.ts";
import * as webhooks from "./webhooks.ts";
import * as workspaces from "./workspaces.ts";

/** An operation whose requests or answers have another shape in Kan. */
export type Translation = {
  method: string;
  path: string;
  /** Calls the REST API and returns the answer; undefined if the service lacks the operation. */
  translate?: ((calls: RestCalls) => Promise<unknown>) | undefined;
};

const translate = (route: string, by?: Translation["translate"]): Translation => {
  const [method = "", path = ""] = route.split(" ");
  return { method, path, translate: by };
};

/** All translations; every other path is passed to the REST API unchanged. */
export const translations: readonly Translation[] = [
  translate("GET /users/me", workspaces.me),
  // Before the workspace that a request names.
  translate("GET /workspaces/check-slug-availability", checkWorkspaceSlug),
  translate("GET /workspaces", workspaces.listWorkspaces),
  translate("GET /workspaces/{workspacePublicId}", workspaces.getWorkspace),
  translate("GET /workspaces/{workspacePublicId}/search", workspaces.searchWorkspace),
  translate("GET /workspaces/{workspacePublicId}/roles", workspaces.listRoles),
  translate("GET /workspaces/{workspacePublicId}/roles/permissions", workspaces.listRoles),
  translate("GET /workspaces/{workspacePublicId}/invite", workspaces.getInviteLink),
  translate("POST /workspaces/{workspacePublicId}/invites", workspaces.createInviteLink),
  translate("POST /invites/accept", workspaces.acceptInvite),
  translate("GET /workspaces/{workspacePublicId}/boards", boards.listBoards),
  translate("POST /workspaces/{workspacePublicId}/boards", boards.createBoard),
  translate("GET /workspaces/{workspacePublicId}/boards/{boardSlug}", boards.getBoardBySlug),
  translate("GET /boards/{boardPublicId}", boards.getBoard),
  translate("PUT /boards/{boardPublicId}", boards.updateBoard),
  translate("GET /boards/{boardPublicId}/check-slug-availability", boards.checkBoardSlug),
  translate("POST /boards/{boardPublicId}/move", boards.moveBoard),
  translate("POST /workspaces/{workspacePublicId}/webhooks", webhooks.createWebhook),
  translate(
    "PUT /workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
    webhooks.updateWebhook,
  ),
  translate("POST /lists", boards.createList),
  translate("POST /cards", cards.createCard),
  translate("GET /cards/{cardPublicId}", cards.getCard),
  translate("POST /cards/{cardPublicId}/duplicate", cards.duplicateCard),
  translate("GET /cards/{cardPublicId}/activities", cards.listActivities),
  translate("DELETE /cards/{cardPublicId}/comments/{commentPublicId}", cards.deleteComment),
  translate("PUT /checklists/items/{checklistItemPublicId}", cards.updateItem),
  translate("POST /cards/{cardPublicId}/attachments/upload-url", cards.prepareAttachment),
  translate("POST /cards/{cardPublicId}/attachments/confirm", cards.confirmAttachment),
  translate("POST /workspaces/{workspacePublicId}/members/permissions/reset"),
  translate("POST /users/me/password"),
  translate("GET /integrations/trello/boards"),
];

import type { App } from "../../support/app.ts";
import { join, makeUser, makeWorkspace, type User } from "../../support/make.ts";
import { upload } from "../../domain/attachments/files.ts";
import { clientOf } from "./client.ts";

/** An address that deliveries may be sent to. Nothing is. */
const hookUrl = "https://93.184.215.14/hook";

/** One resource of each kind, made by a program of Kan, and the parameters that name them. */
export async function makeSample(app: App) {
  const workspace = await makeWorkspace(app);
  const { admin } = workspace;
  const member = await join(app, workspace, "member");
  const kan = clientOf(app, admin.token);
  const made = async (path: string, body: object) => (await kan("POST", path, { body })).body;
  const boards = `/workspaces/${workspace.publicId}/boards`;
  const board = await made(boards, { name: "Engines", lists: ["To do", "Done"], labels: ["Bug"] });
  const { body: shown } = await kan("GET", `/boards/${board.publicId}`);
  const [list, other] = shown.lists;
  const [label] = shown.labels;
  const card = await made("/cards", {
    title: "Oil the engine",
    description: "All of it",
    listPublicId: list.publicId,
    labelPublicIds: [label.publicId],
    memberPublicIds: [member.memberPublicId],
    position: "end",
    dueDate: "2031-02-03T10:00:00Z",
  });
  const path = `/cards/${card.publicId}`;
  const comment = await made(`${path}/comments`, { comment: "How much?" });
  const checklist = await made(`${path}/checklists`, { name: "Steps" });
  const item = await made(`/checklists/${checklist.publicId}/items`, { title: "Buy oil" });
  await upload(app, admin, card.publicId, "oil", { filename: "oil.txt" });
  const hooks = `/workspaces/${workspace.publicId}/webhooks`;
  const webhook = await made(hooks, { name: "Hook", url: hookUrl, events: ["card.created"] });
  await kan("PUT", path, { body: { title: "Oil the engines", dueDate: "2031-02-04" } });
  await kan("PUT", path, { body: { listPublicId: other.publicId } });
  const params = {
    workspacePublicId: workspace.publicId,
    boardPublicId: board.publicId,
    boardSlug: board.slug,
    listPublicId: other.publicId,
    cardPublicId: card.publicId,
    commentPublicId: comment.publicId,
    checklistItemPublicId: item.publicId,
    webhookPublicId: webhook.publicId,
  };
  return { workspace, admin, member, kan, params, board, list: other, label, card, item };
}

/** A sample. */
export type Sample = Awaited<ReturnType<typeof makeSample>>;

/** The path of a translation with the parameters of a sample. */
export const fill = (path: string, params: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name);

/** The query that a translation needs. */
export const queryOf = (path: string): string =>
  path.endsWith("/search")
    ? "?query=engine"
    : path.endsWith("/check-slug-availability")
      ? "?boardSlug=free-slug&workspaceSlug=free-slug"
      : "";

/** What each translation is sent; most need nothing. */
export async function bodiesOf(app: App, { admin, params, workspace }: Sample) {
  const { body: invite } = await admin.rest.post(`/workspaces/${workspace.publicId}/invites`);
  const elsewhere = await makeWorkspace(app, admin);
  const invited: User = await makeUser(app, "Invited");
  const bodies: Record<string, object> = {
    "POST /invites/accept": { inviteCode: invite.inviteCode },
    "POST /workspaces/{workspacePublicId}/boards": {
      name: "New",
      slug: "Fresh",
      visibility: "public",
    },
    "PUT /boards/{boardPublicId}": { isFavorite: true, name: "Engines" },
    "POST /boards/{boardPublicId}/move": { targetWorkspacePublicId: elsewhere.publicId },
    "POST /lists": { name: "New", boardPublicId: params.boardPublicId, position: 3 },
    "POST /cards": { title: "New", listPublicId: params.listPublicId, position: "start" },
    "POST /cards/{cardPublicId}/duplicate": { copyLabels: true, copyMembers: true, index: 0 },
    "POST /cards/{cardPublicId}/attachments/upload-url": {
      filename: "a.txt",
      contentType: "text/plain",
      size: 3,
    },
    "POST /cards/{cardPublicId}/attachments/confirm": { s3Key: "zzzzzzzzzzzz" },
    "POST /workspaces/{workspacePublicId}/webhooks": {
      name: "Mine",
      url: hookUrl,
      events: ["card.created", "card.updated"],
      secret: "short",
    },
    "PUT /workspaces/{workspacePublicId}/webhooks/{webhookPublicId}": {
      name: "Other",
      secret: "another secret",
    },
    "PUT /checklists/items/{checklistItemPublicId}": { isCompleted: true, index: 0 },
  };
  return { bodies, invited };
}

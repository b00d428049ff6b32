import type { App } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

/** The text that only the tenant sees. */
export const secret = "Secret of the tenant";

/** A workspace with all that tools can name. */
export async function tenantOf(app: App) {
  const workspace = await makeWorkspace(app);
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace, { lists: [secret, "Other"], labels: 1 });
  await rest.put(`/boards/${board.publicId}`, { name: secret, description: secret });
  const [list = "", second = ""] = board.lists;
  const card = await makeCard(workspace.admin, list, secret);
  const other = await makeCard(workspace.admin, second, secret);
  const items = { name: secret, items: [secret] };
  const { body: checklist } = await rest.post(`/cards/${card}/checklists`, items);
  const { body: comment } = await rest.post(`/cards/${card}/comments`, { comment: secret });
  const view = { name: secret, scope: "private" };
  await rest.post(`/workspaces/${workspace.publicId}/views`, view);
  const { body: cardBody } = await rest.get(`/cards/${card}`);
  const { body: own } = await rest.get(`/workspaces/${workspace.publicId}`);
  return {
    workspace,
    board,
    list,
    card,
    other,
    number: cardBody.cardNumber as string,
    item: checklist.items[0].publicId as string,
    checklist: checklist.publicId as string,
    comment: comment.publicId as string,
    member: own.memberPublicId as string,
  };
}
type Tenant = Awaited<ReturnType<typeof tenantOf>>;

/** Arguments of each tool that name what a tenant has, and change it. */
export const argumentsFor = (of: Tenant): Record<string, Record<string, unknown>> => ({
  workspace_list: {},
  board_list: { workspace: of.workspace.publicId },
  board_get: { board: of.board.publicId },
  card_list: { board: of.board.publicId },
  card_count: { board: of.board.publicId, by: "member" },
  card_get: { card: of.card },
  card_search: { query: "secret", workspace: of.workspace.publicId },
  card_mine: { workspace: of.workspace.publicId },
  view_list: { workspace: of.workspace.publicId, view: secret },
  member_list: { board: of.board.publicId },
  change_list: { workspace: of.workspace.publicId },
  card_create: { list: of.list, title: "new" },
  card_update: { card: of.card, title: "new" },
  card_move: { card: of.card, list: "Other" },
  card_archive: { card: of.card },
  card_relate: { card: of.card, kind: "relates", other: of.other },
  checklist_create: { card: of.card, name: "new" },
  item_create: { card: of.card, checklist: of.checklist, title: "new" },
  item_update: { card: of.card, item: of.item, isComplete: true },
  link_create: { card: of.card, url: "https://example.com/plan" },
  comment_create: { card: of.card, comment: "new" },
  comment_update: { card: of.card, commentId: of.comment, comment: "new" },
  card_next: { board: of.board.publicId },
  card_claim: { card: of.card },
  board_create: { workspace: of.workspace.publicId, name: "new" },
  board_update: { board: of.board.publicId, name: "new" },
  list_create: { board: of.board.publicId, name: "new" },
  list_update: { list: of.list, name: "new" },
  label_create: { board: of.board.publicId, name: "new" },
  label_update: { board: of.board.publicId, label: "Label 0", name: "new" },
  batch_run: {
    workspace: of.workspace.publicId,
    calls: [{ tool: "comment_create", arguments: { card: of.card, comment: "new" } }],
  },
});

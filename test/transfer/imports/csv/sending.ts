import type { App } from "../../../support/app.ts";
import { runDue } from "../../../support/jobs.ts";
import type { Workspace } from "../../../support/make.ts";
import { boardOf, read } from "../importing.ts";

/** Sends a CSV file to an operation of imports. */
export async function sendCsv(
  app: App,
  home: Workspace,
  path: string,
  query: Record<string, string>,
  body: string,
): Promise<{ status: number; body: any }> {
  const search = new URLSearchParams({ workspacePublicId: home.publicId, ...query });
  const response = await app.fetch(
    new Request(`http://service/api/v1${path}?${search.toString()}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${home.admin.token}` },
      body,
    }),
  );
  return { status: response.status, body: await response.json() };
}

/** Imports a CSV file to its end; its report, its board, and its cards by their titles. */
export async function importCsv(
  app: App,
  home: Workspace,
  body: string,
  query: Record<string, string> = {},
): Promise<any> {
  const sent = await sendCsv(app, home, "/imports/csv", { boardName: "Cards", ...query }, body);
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  await runDue(app.deps);
  const done = await read(home, sent.body.publicId);
  if (done.error !== null) throw new Error(done.error);
  // An import that creates nothing has no boards.
  const { items } = (await home.admin.rest.get(`/workspaces/${home.publicId}/boards`)).body;
  const boardName = query["boardName"] ?? "Cards";
  const { publicId } = items.find(({ name }: any) => name === boardName);
  const board = await boardOf(home, publicId);
  const cards: Record<string, any> = {};
  for (const list of board.lists)
    for (const { publicId: id, title } of list.cards) {
      const { body: card } = await home.admin.rest.get(`/cards/${id}`);
      const { body: said } = await home.admin.rest.get(`/cards/${id}/comments`);
      cards[title] = { ...card, list: list.name, comments: said.items };
    }
  return { done, board, cards };
}

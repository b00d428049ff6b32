import { runDue } from "../../support/jobs.ts";
import type { App, Reply } from "../../support/app.ts";
import type { Workspace } from "../../support/make.ts";

/** Sends a file of Trello. */
export async function send(
  app: App,
  home: Workspace,
  body: object | string | ReadableStream<Uint8Array>,
  token = home.admin.token,
): Promise<Reply> {
  const url = `http://service/api/v1/imports/trello/file?workspacePublicId=${home.publicId}`;
  const sent =
    typeof body === "string" || body instanceof ReadableStream ? body : JSON.stringify(body);
  const response = await app.fetch(
    new Request(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: sent,
      duplex: "half",
    }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Reads an import with its whole report. */
export async function read(home: Workspace, id: string): Promise<any> {
  const first = (await home.admin.rest.get(`/imports/${id}?limit=100`)).body;
  const issues = [...first.report.items];
  for (let { nextCursor } = first.report; nextCursor !== null;) {
    const { body } = await home.admin.rest.get(`/imports/${id}?limit=100&cursor=${nextCursor}`);
    issues.push(...body.report.items);
    ({ nextCursor } = body.report);
  }
  return {
    ...first,
    issues,
    counts: Object.fromEntries(first.counts.map((one: any) => [one.kind, one])),
  };
}

/** Imports a file of Trello and waits for its end. */
export async function importFile(app: App, home: Workspace, body: object | string): Promise<any> {
  const sent = await send(app, home, body);
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  await runDue(app.deps);
  return read(home, sent.body.publicId);
}

/** A board as its admin sees it, with everything archived. */
export async function boardOf(home: Workspace, publicId: string): Promise<any> {
  return (await home.admin.rest.get(`/boards/${publicId}?archived=true`)).body;
}

/** Imports a file of Trello, and reads a board, or the new one, with the whole cards of its list. */
export async function bring(app: App, home: Workspace, source: object | string, board?: string) {
  const done = await importFile(app, home, source);
  const shown = await boardOf(home, board ?? done.boards[0]?.publicId ?? "");
  const cards = [];
  for (const { publicId } of shown.lists?.[0]?.cards ?? []) {
    const { body } = await home.admin.rest.get(`/cards/${publicId}`);
    const { body: said } = await home.admin.rest.get(`/cards/${publicId}/comments`);
    cards.push({ ...body, comments: said.items });
  }
  return { done, shown, cards, issues: done.issues };
}

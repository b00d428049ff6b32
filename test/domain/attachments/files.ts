import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { App, Reply } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

/** The first bytes of a PNG picture. */
export const png = Buffer.from(
  "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6300010000050001",
  "hex",
);

/** What an upload may say of its file. */
export type Said = { filename?: string; headers?: Record<string, string> };

/** The length of a body, as a client declares it; a stream has no length. */
const lengthOf = (body: Uint8Array | string | ReadableStream<Uint8Array>) =>
  body instanceof ReadableStream ? {} : { "Content-Length": String(Buffer.from(body).byteLength) };

/** Uploads a file to a card. */
export async function upload(
  app: App,
  user: Pick<As, "token">,
  card: string,
  body: Uint8Array | string | ReadableStream<Uint8Array>,
  { filename = "file.bin", headers = {} }: Said = {},
): Promise<Reply> {
  const named = headers["Content-Disposition"] === undefined;
  const query = named ? `?filename=${encodeURIComponent(filename)}` : "";
  const request = new Request(`http://service/api/v1/cards/${card}/attachments${query}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${user.token}`, ...lengthOf(body), ...headers },
    body,
    duplex: "half",
  });
  const response = await app.fetch(request);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Reads the content of an attachment. */
export async function download(
  app: App,
  user: Pick<As, "token">,
  attachment: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const request = new Request(`http://service/api/v1/attachments/${attachment}/content`, {
    method,
    headers: { Authorization: `Bearer ${user.token}`, ...headers },
  });
  const response = await app.fetch(request);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** A workspace with a card, and its admin. */
export async function start(app: App) {
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  const emitted = (type: string) =>
    findEvents(app, { where: { cardPublicId: card, type }, orderBy: { id: "asc" } });
  return { workspace, user: workspace.admin, board, card, emitted };
}

/** The paths of all files that the local storage of an app holds. */
export async function stored({ deps }: Pick<App, "deps">): Promise<string[]> {
  const root = join(deps.config.DATA_DIR, "files");
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every attachment's row, finished or not. */
export const rows = ({ db }: Pick<App, "db">) =>
  db.reader.attachment.findMany({ orderBy: { id: "asc" } });

/** Bytes that come one after the other, `chunks` times `size` of them. */
export const pour = (chunks: number, size: number, byte = 0x61): ReadableStream<Uint8Array> => {
  let left = chunks;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(size).fill(byte));
      else controller.close();
    },
  });
};

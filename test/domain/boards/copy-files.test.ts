import { beforeEach, describe, expect, test } from "vitest";
import { purgeAttachments } from "../../../src/domain/attachments/purge.ts";
import { download, rows, start, stored, upload } from "../attachments/files.ts";
import { insertPending } from "../attachments/many.ts";
import { useApp } from "../../support/app.ts";
import { insertLink } from "../../support/rows.ts";

const app = useApp({ env: { ATTACHMENTS_QUOTA: "1", LIMITS: "attachments=3" } });

let scene: Awaited<ReturnType<typeof start>>;

beforeEach(async () => {
  scene = await start(app());
});

const path = () => `/workspaces/${scene.workspace.publicId}/boards`;
const copy = (more: object = { withAttachments: true }) =>
  scene.user.rest.post(path(), {
    name: "Copy",
    sourceBoardPublicId: scene.board.publicId,
    ...more,
  });
const send = (body: string, filename: string) =>
  upload(app(), scene.user, scene.card, body, { filename });
const attachmentsOf = async (card: string) =>
  (await scene.user.rest.get(`/cards/${card}`)).body.attachments;
const copied = async (board: Record<string, any>) =>
  attachmentsOf(board["lists"].flatMap(({ cards }: any) => cards)[0].publicId);
const purge = async () => {
  app().advance(1);
  while ((await purgeAttachments(app().deps, app().deps.clock())) > 0);
};
const remove = async (attachments: { publicId: string }[]) => {
  for (const { publicId } of attachments)
    expect((await scene.user.rest.delete(`/attachments/${publicId}`)).status).toBe(200);
};
const contentOf = async ({ publicId }: { publicId: string }) => {
  const { status, bytes } = await download(app(), scene.user, publicId);
  return status === 200 ? bytes.toString() : status;
};

describe("board.create with withAttachments", () => {
  test("copies files and links in their order, without pending and deleted ones", async () => {
    const { card } = scene;
    await send("one", "1.txt");
    await send("two", "2.txt");
    await insertLink(app(), card, "https://example.com/three", "Three");
    await insertPending(app(), card, "0".repeat(40));
    const { status, body } = await copy();
    expect(status).toBe(200);
    const sources = await attachmentsOf(card);
    const copies = await copied(body);
    const shown = ({ filename, size, kind, contentType, url: to, sha256 }: any) => {
      return [filename, size, kind, contentType, kind === "link" ? to : null, sha256];
    };
    expect(copies.map(shown)).toEqual(sources.map(shown));
    expect(copies).toHaveLength(3);
    expect(copies[0].publicId).not.toBe(sources[0].publicId);
    expect(await contentOf(copies[1])).toBe("two");
    await remove(sources.slice(1));
    expect(await copied((await copy()).body)).toMatchObject([{ filename: "1.txt" }]);
  });

  test("copies none by default", async () => {
    await send("one", "1.txt");
    expect(await copied((await copy({})).body)).toEqual([]);
  });

  test("each attachment outlives the other; the last one takes its file along", async () => {
    const before = (await stored(app())).length;
    await send("one", "1.txt");
    const [first] = await copied((await copy()).body);
    const [second] = await copied((await copy()).body);
    await remove(await attachmentsOf(scene.card));
    await purge();
    expect(await Promise.all([contentOf(first), contentOf(second)])).toEqual(["one", "one"]);
    await remove([first]);
    await purge();
    expect(await contentOf(second)).toBe("one");
    await remove([second]);
    await Promise.all([purge(), purge()]);
    expect(await stored(app())).toHaveLength(before);
  });

  test("purges at the same time remove the file of attachments that share it", async () => {
    const before = (await stored(app())).length;
    await send("one", "1.txt");
    const copies = await copied((await copy()).body);
    await remove([...(await attachmentsOf(scene.card)), ...copies]);
    await Promise.all([purge(), purge()]);
    expect(await stored(app())).toHaveLength(before);
    const keys = (await rows(app())).filter(({ deletedAt }) => deletedAt !== null);
    expect(keys).toEqual([]);
  });

  test("is 409 over the quota of the workspace, and leaves nothing", async () => {
    await send("x".repeat(600_000), "1.txt");
    const count = async () => (await scene.user.rest.get(path())).body.length;
    const [boards, files] = [await count(), (await rows(app())).length];
    const { status, body } = await copy();
    expect([status, body.issues[0].code]).toEqual([409, "quota_exceeded"]);
    expect([await count(), (await rows(app())).length]).toEqual([boards, files]);
    expect((await copy({})).status).toBe(200);
  });

  test("counts for the files of the caller in a day; a refused copy does not", async () => {
    await send("one", "1.txt");
    const { email } = scene.user;
    const { id } = await app().db.reader.user.findUniqueOrThrow({ where: { email } });
    const { config, uploads } = app().deps;
    const user = String(id);
    await uploads.bytes.spend(user, config.UPLOADS_PER_DAY * 1024 * 1024 - 3 - 2);
    expect((await copy()).status).toBe(429);
    await uploads.bytes.refund(user, 1);
    expect((await copy()).status).toBe(200);
    expect((await copy()).status).toBe(429);
    expect((await copy({})).status).toBe(200);
  });

  test("works in a batch", async () => {
    await send("one", "1.txt");
    const { publicId: workspacePublicId } = scene.workspace;
    const source = { sourceBoardPublicId: scene.board.publicId, withAttachments: true };
    const input = { workspacePublicId, name: "Copy", ...source };
    const { status, body } = await scene.user.rest.post(`/workspaces/${workspacePublicId}/batch`, {
      operations: [{ operation: "board.create", input }],
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(await copied(body.results[0].output)).toMatchObject([{ filename: "1.txt" }]);
  });
});

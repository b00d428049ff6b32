import { describe, expect, test } from "vitest";
import { purgeAttachments } from "../../../src/domain/attachments/purge.ts";
import type { Files } from "../../../src/platform/storage/store.ts";
import { download, rows, start, stored, upload } from "../attachments/files.ts";
import { request, withDeps } from "../auth/account.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ env: { ATTACHMENTS_QUOTA: "1" } });

const expectNoStrays = async () => {
  const files = new Set((await stored(app())).map((path) => path.split("/").at(-1)));
  const keys = (await rows(app())).flatMap(({ storageKey }) => storageKey ?? []);
  expect(files.size, "no file without a row, no row without its file").toBe(keys.length);
};

async function withFiles(...bodies: string[]) {
  const scene = await start(app());
  for (const [nth, body] of bodies.entries()) {
    await upload(app(), scene.user, scene.card, body, { filename: `${nth}.txt` });
  }
  const path = `/cards/${scene.card}/duplicate`;
  return { ...scene, path };
}

function gate() {
  let resolve = () => undefined as void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
}

/** The service with a storage whose copies the test controls. */
const copying = (copy: Files["copy"]) => withDeps(app(), { files: { ...app().deps.files, copy } });

describe("card.duplicate with attachments", () => {
  test("copies the files: each card has its own, and one outlives the other", async () => {
    const { user, card, path } = await withFiles("one", "two");
    const { status, body } = await user.rest.post(path, { withAttachments: true });
    expect(status).toBe(200);
    expect(body.attachments).toMatchObject([
      { filename: "0.txt", size: 3 },
      { filename: "1.txt", size: 3 },
    ]);
    const { body: source } = await user.rest.get(`/cards/${card}`);
    expect(source.attachments).toHaveLength(2);
    for (const { publicId } of source.attachments) {
      expect((await user.rest.delete(`/attachments/${publicId}`)).status).toBe(200);
    }
    app().advance(1);
    await purgeAttachments(app().deps, app().deps.clock());
    const again = await download(app(), user, body.attachments[1].publicId);
    expect(again.bytes.toString()).toBe("two");
    await expectNoStrays();
  });

  test("copies them only with withAttachments, and no pending uploads", async () => {
    const { user, path } = await withFiles("one");
    expect((await user.rest.post(path, {})).body.attachments).toEqual([]);
    await expectNoStrays();
  });

  test("is 409 over the quota of the workspace, and leaves no row and no file", async () => {
    const { user, path } = await withFiles("x".repeat(600_000));
    const { status, body } = await user.rest.post(path, { withAttachments: true });
    expect({ status, message: body.issues[0].message }).toEqual({
      status: 409,
      message: "The workspace exceeds its attachment quota of 1 MiB; files in the trash count.",
    });
    expect((await user.rest.post(path, {})).body.cardNumber).toMatch(/-2$/);
    await expectNoStrays();
  });

  test("copies no file for a list that the caller may not use", async () => {
    const { user, path } = await withFiles("one");
    const foreign = await makeBoard(await makeWorkspace(app()));
    const fields = { withAttachments: true, listPublicId: foreign.lists[0] };
    expect((await user.rest.post(path, fields)).status).toBe(404);
    await expectNoStrays();
  });

  test("that fails stores no card, no row and no file", async () => {
    const { user, path, board } = await withFiles("one", "two");
    let copied = 0;
    const call = copying(async (from, to) => {
      if (++copied === 2) throw new Error("the disk is full");
      await app().deps.files.copy(from, to);
    });
    const { status } = await call(request("POST", path, user.token, { withAttachments: true }));
    expect(status).toBe(500);
    expect(app().errors.splice(0)).toHaveLength(1);
    expect((await user.rest.get(`/boards/${board.publicId}/cards`)).body.items).toHaveLength(1);
    expect((await rows(app())).filter(({ status: now }) => now === "pending")).toEqual([]);
    await expectNoStrays();
  });

  test("whose process dies leaves only files that the purge finds", async () => {
    const { user, path } = await withFiles("one", "two");
    const { promise: died, resolve: die } = gate();
    const call = copying(async (from, to) => {
      await app().deps.files.copy(from, to);
      die();
      // It never comes to an end, as in a process that is no more.
      await new Promise(() => undefined);
    });
    void call(request("POST", path, user.token, { withAttachments: true }));
    await died;
    const pending = (await rows(app())).filter(({ status }) => status === "pending");
    expect(pending).toHaveLength(2);
    app().advance(25 * 60 * 60_000);
    expect(await purgeAttachments(app().deps, new Date(0))).toBe(2);
    expect((await rows(app())).filter(({ status }) => status === "pending")).toEqual([]);
    await expectNoStrays();
  });
});

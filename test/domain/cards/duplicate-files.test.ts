import { describe, expect, test } from "vitest";
import { purgeAttachments } from "../../../src/domain/attachments/purge.ts";
import { download, rows, start, stored, upload } from "../attachments/files.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ env: { ATTACHMENTS_QUOTA: "1" } });

const expectNoStrays = async () => {
  const files = new Set((await stored(app())).map((path) => path.split("/").at(-1)));
  const keys = (await rows(app())).flatMap(({ storageKey }) => storageKey ?? []);
  expect(files, "no file without a row, no row without its file").toEqual(new Set(keys));
};

async function withFiles(...bodies: string[]) {
  const scene = await start(app());
  for (const [nth, body] of bodies.entries()) {
    await upload(app(), scene.user, scene.card, body, { filename: `${nth}.txt` });
  }
  const path = `/cards/${scene.card}/duplicate`;
  return { ...scene, path };
}

describe("card.duplicate with attachments", () => {
  test("copies the files: both cards have one, which stays until the last of them is purged", async () => {
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
    const purge = () => {
      app().advance(1);
      return purgeAttachments(app().deps, app().deps.clock());
    };
    expect(await purge()).toBe(2);
    const again = await download(app(), user, body.attachments[1].publicId);
    expect(again.bytes.toString()).toBe("two");
    await expectNoStrays();
    for (const { publicId } of body.attachments) {
      expect((await user.rest.delete(`/attachments/${publicId}`)).status).toBe(200);
    }
    expect(await purge()).toBe(2);
    expect(await stored(app())).toEqual([]);
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
});

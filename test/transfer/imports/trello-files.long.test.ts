import { beforeEach, describe, expect, test } from "vitest";
import type { Deps } from "../../../src/kernel/request/deps.ts";
import { makeWorkspace, type Workspace } from "../../support/make.ts";
import type { Fault } from "../../support/stand-in.ts";
import { boardOf } from "./importing.ts";
import { useTrello } from "./trello-app.ts";
import { attachment, board, card, idOf, kinds, list } from "./trello-objects.ts";

const { app, trello, bring } = useTrello();

const bytes = Buffer.from("Some bytes");
beforeEach(() => {
  const uploaded = attachment(1, { isUpload: true, name: "a.txt", fileName: "a.txt" });
  trello().whole = [board({ lists: [list(1)], cards: [card(1, { attachments: [uploaded] })] })];
  trello().uploads.set(idOf(kinds.attachment, 1), { bytes, type: "text/plain" });
});

/** Imports the board, by a service with these dependencies: what is said of its attachments. */
async function imported(home: Workspace, deps: Deps) {
  const { issues, ...done } = await bring(home, [idOf(kinds.board, 1)], {}, deps);
  return { ...done, issues: issues.filter(({ kind }: { kind: string }) => kind === "attachment") };
}

/** The attachments of the board's only card. */
async function attachmentsOf(home: Workspace, boardPublicId: string) {
  const { lists } = await boardOf(home, boardPublicId);
  return (await home.admin.rest.get(`/cards/${lists[0].cards[0].publicId}`)).body.attachments;
}

describe("a file that Trello stores", () => {
  test.each([
    ["no space", Object.assign(new Error("no space left on device"), { code: "ENOSPC" })],
    ["a refusal", new Error("The storage answered 403 to PUT: AccessDenied")],
  ])(
    "stops the import when the storage fails with %s; a repeated one stores it",
    async (_, error) => {
      const home = await makeWorkspace(app());
      const files = { ...app().deps.files, put: () => Promise.reject(error) };
      const failed = await imported(home, { ...app().deps, files });
      expect(failed).toMatchObject({
        status: "failed",
        error: expect.stringContaining("Start it again"),
      });
      expect(app().errors.splice(0)).toEqual([expect.stringContaining(error.message)]);
      expect(await imported(home, app().deps)).toMatchObject({ status: "completed", issues: [] });
      const [stored] = await attachmentsOf(home, failed.boards[0].publicId);
      expect(stored).toMatchObject({ kind: "file", size: bytes.byteLength });
    },
  );

  test("is fetched again when its connection breaks", async () => {
    const home = await makeWorkspace(app());
    const breakOff: Fault = (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
      response.write("Some", () => response.socket?.destroy());
    };
    trello().storage.failNext(breakOff);
    const done = await imported(home, app().deps);
    expect(done).toMatchObject({ status: "completed", issues: [] });
    const [stored] = await attachmentsOf(home, done.boards[0].publicId);
    expect(stored).toMatchObject({ kind: "file", size: bytes.byteLength });
  });

  test("becomes a link when the workspace is over its quota, and the report says so", async () => {
    const home = await makeWorkspace(app());
    const config = { ...app().deps.config, ATTACHMENTS_QUOTA: 0 };
    const done = await imported(home, { ...app().deps, config });
    expect(done.issues).toMatchObject([
      { kind: "attachment", isPartlyThere: true, reason: expect.stringContaining("quota") },
    ]);
    const [linked] = await attachmentsOf(home, done.boards[0].publicId);
    expect(linked).toMatchObject({ kind: "link" });
  });
});

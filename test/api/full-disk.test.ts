import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { rows, stored } from "../domain/attachments/files.ts";
import { useApp } from "../support/app.ts";
import { makeCard } from "../support/make.ts";
import { fileScene, takingFiles } from "./uploads.ts";

// More than any disk has.
const constants = { MIN_FREE_SPACE: 1_000_000_000 };
const ADMIN_KEY = "key of the operator";
const app = useApp({ isolated: true, env: { ADMIN_KEY }, constants });
// A preview stores nothing.
const names = takingFiles
  .map(({ operation }) => operation)
  .filter((operation) => operation !== "import.csvPreview");

test.each(names)("without free space a file is 503 and leaves nothing: %s", async (name) => {
  const { user, fileOf } = await fileScene(app());
  const route = takingFiles.find(({ operation }) => operation === name);
  const { path, body } = fileOf(route ?? expect.fail(name));
  const response = await user.rest.post(path, body);
  expect(response).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE", issues: [{ code: "storage_full" }] },
  });
  expect(response.headers.get("retry-after")).toBe("60");
  expect([await stored(app()), await rows(app())]).toEqual([[], []]);
});

test("an export with files needs free space; other calls do not", async () => {
  const { user, workspace, board } = await fileScene(app());
  const path = `/workspaces/${workspace.publicId}/export`;
  expect(await user.rest.get(`${path}?files=true`)).toMatchObject({
    status: 503,
    body: { issues: [{ code: "storage_full" }] },
  });
  expect((await user.rest.get(path)).status).toBe(200);
  await makeCard(user, board.lists[0] ?? "");
});

test("health and metrics show the free space", async () => {
  const { user } = await fileScene(app());
  expect((await user.rest.get("/health")).body).toMatchObject({
    status: "degraded",
    storage: "full",
  });
  const headers = { "X-Admin-Key": ADMIN_KEY };
  const response = await app().fetch(new Request("http://service/metrics", { headers }));
  expect(await response.text()).toMatch(/^storage_free_bytes [1-9]\d+$/m);
});

test("every operation that writes files checks the free space", async () => {
  const paths = (await readdir("src", { recursive: true })).filter((path) => path.endsWith(".ts"));
  const writers: string[] = [];
  for (const path of paths) {
    const text = await readFile(`src/${path}`, "utf8");
    const writes = /\bopen\([^)]*"[wa]x?\+?"|createWriteStream|copyFile\(/.test(text);
    if (writes && !path.startsWith("cli/")) writers.push(path);
    if (writes && !path.startsWith("cli/")) expect(text, path).toContain("checkFreeSpace(");
  }
  expect(writers).toContain("platform/storage/spool.ts");
});

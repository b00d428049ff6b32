import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace, type User } from "../../support/make.ts";
import { setOverride } from "../access/membership.ts";
import { openStream } from "../../support/stream.ts";

const app = useApp();

test("only who may read an import gets its events, from the feed and the stream", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const starter = await join(app(), workspace, "member");
  const other = await join(app(), workspace, "member");
  await setOverride(app(), starter.memberPublicId, "board:create", true);
  await setOverride(app(), other.memberPublicId, "board:create", true);
  const open = ({ token }: User) =>
    openStream(app(), `/workspaces/${publicId}/events/stream`, { token });
  const streams = await Promise.all([starter, admin, other].map(open));
  const query = new URLSearchParams({ workspacePublicId: publicId, boardName: "Imported" });
  const started = await app().fetch(
    new Request(`http://service/api/v1/imports/csv?${query.toString()}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${starter.token}`, "Content-Type": "text/csv" },
      body: "title\nOne\n",
    }),
  );
  expect(started.status).toBe(200);
  const { publicId: importPublicId } = (await started.json()) as { publicId: string };
  await starter.rest.post(`/imports/${importPublicId}/cancel`);

  const typesFor = async ({ rest }: User) => {
    const { body } = await rest.get(`/workspaces/${publicId}/events?limit=100`);
    return body.items
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith("import."));
  };
  const all = ["import.started", "import.cancelled"];
  expect(await typesFor(starter)).toEqual(all);
  expect(await typesFor(admin)).toEqual(all);
  expect(await typesFor(other)).toEqual([]);
  // An event that all may see ends what each stream has of the import.
  await admin.rest.put(`/workspaces/${publicId}`, { name: "Renamed" });
  const live = await Promise.all(
    streams.map(async (stream) => {
      const types: string[] = [];
      while (types.at(-1) !== "workspace.updated") {
        types.push(...(await stream.take(1)).map(({ data }) => String(data.type)));
      }
      await stream.close();
      return types;
    }),
  );
  const renamed = "workspace.updated";
  expect(live).toEqual([[...all, renamed], [...all, renamed], [renamed]]);
  expect((await other.rest.get(`/imports/${importPublicId}`)).status).toBe(403);
});

import { expect, test } from "vitest";
import { projectsPath, useGitHub } from "../../contract/connecting.ts";
import { makeUser } from "../../support/make.ts";

const gh = useGitHub();

test("integration.providers lists connections without tokens; integration.disconnect deletes one and can be repeated", async () => {
  const now = gh();
  const { app, user, github } = now;
  const read = async (who = user) => (await who.rest.get("/integration/providers")).body;
  const disconnected = { connected: false, account: null, scopes: [], connectedAt: null };
  const nothing = [
    { provider: "github", ...disconnected },
    { provider: "trello", ...disconnected },
  ];
  expect(await read()).toEqual(nothing);
  await now.connect();
  const [one, two] = await read();
  expect(one).toMatchObject({ provider: "github", connected: true });
  expect(one.connectedAt).toBe(app.deps.clock().toISOString());
  expect(two).toEqual(nothing[1]);
  expect(await user.trpc.integration.providers.query()).toEqual([one, two]);
  expect(await read(await makeUser(app))).toEqual(nothing);
  expect(github.url).toMatch(/^http/);
  for (const _ of [1, 2]) {
    const { body } = await user.rest.post("/integration/disconnect", { provider: "github" });
    expect(body).toEqual({ success: true });
  }
  expect(await read()).toEqual(nothing);
  expect((await user.rest.get(projectsPath)).status).toBe(403);
  expect((await user.rest.post("/integration/disconnect", { provider: "jira" })).status).toBe(400);
  expect((await user.rest.post("/integration/disconnect")).status).toBe(400);
});

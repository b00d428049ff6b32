import { describe, expect, test } from "vitest";
import { useGitHub } from "../../contract/connecting.ts";
import { fingerprint } from "../../../src/kernel/access/credentials.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { as, signedIn } from "../../support/as.ts";
import { type Fault } from "../../support/stand-in.ts";
import { givePasswordReset } from "../../support/state.ts";

const gh = useGitHub();
const password = "a password for tests";
const newPassword = "another password for tests";

/** Signs the user in once more. */
const secondSession = () => signedIn(gh().app, gh().user);

/** All that ends the session that starts a connection. */
const ends = {
  "auth.logout": () => gh().user.rest.post("/auth/logout", {}),
  "auth.revokeSession": async () => {
    const { rest } = await secondSession();
    const { body } = await rest.get("/auth/sessions");
    const first = body.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    return rest.delete(`/auth/sessions/${first.publicId}`);
  },
  "auth.changePassword": async () => {
    const { rest } = await secondSession();
    return rest.put("/auth/password", { currentPassword: password, newPassword });
  },
  "auth.resetPassword": async () => {
    const { app, user } = gh();
    const token = `token of ${user.publicId}`;
    await givePasswordReset(app, user.publicId, fingerprint(token));
    return as(app).rest.post("/auth/password/reset", { token, newPassword });
  },
  "user.delete": () => gh().user.rest.delete("/users/me", { password }),
};

/** How many connections the account of the test has. */
async function connections(): Promise<number> {
  const { app, user } = gh();
  const rows = await app.db.read(sql`SELECT 1 FROM integrations i JOIN users u ON u.id = i."userId"
    WHERE u."publicId" = ${user.publicId}`);
  return rows.length;
}

/** GitHub's answer with a token, after something has happened. */
const after =
  (happens: () => Promise<unknown>): Fault =>
  (_, response) => {
    const grant = { access_token: gh().github.grant(), token_type: "bearer", scope: "repo" };
    const answer = async () => {
      await happens();
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(grant));
    };
    void answer();
  };

describe("a connection ends with the session that started it:", () => {
  test.each(Object.keys(ends) as (keyof typeof ends)[])(
    "%s, before GitHub answers",
    async (name) => {
      const { start, visit, comeBack } = gh();
      const back = await visit(await start());
      expect((await ends[name]()).status).toBe(200);
      expect((await comeBack(back)).status).toBe(400);
      expect(await connections()).toBe(0);
    },
  );

  test.each(Object.keys(ends) as (keyof typeof ends)[])("%s, during the exchange", async (name) => {
    const { github, start, visit, comeBack } = gh();
    const back = await visit(await start());
    github.failNext(after(async () => expect((await ends[name]()).status).toBe(200)));
    expect((await comeBack(back)).status).toBe(400);
    expect(await connections()).toBe(0);
  });
});

test("a connection that an API key started ends with the key", async () => {
  const { app, user, visit, comeBack } = gh();
  const { body: key } = await user.rest.post("/auth/api-keys", { name: "Key", password });
  const reply = await as(app, key.key).rest.get("/integration/authorize");
  const cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? "";
  const back = await visit(new URL(reply.body.url));
  expect((await user.rest.delete(`/auth/api-keys/${key.publicId}`)).status).toBe(200);
  expect((await comeBack(back, cookie)).status).toBe(400);
  expect(await connections()).toBe(0);
});

import { mailsTo } from "../kernel/jobs/fixtures.ts";
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { createDeps } from "../../src/app/deps.ts";
import { createLogger } from "../../src/api/request-log.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { startApp, useApp } from "../support/app.ts";
import { as, type As } from "../support/as.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../support/make.ts";
import { violateConstraint } from "../support/faults.ts";
import { keyOf } from "../kernel/access/key-scene.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const card = await makeCard(workspace.admin, list);
  return {
    workspace,
    home: `/workspaces/${workspace.publicId}`,
    admin: workspace.admin,
    board,
    list,
    card,
  };
};

describe("failures of other boards:", () => {
  test("an invitation code readable by guests", async () => {
    const { workspace, home, admin } = await start();
    const guest = await join(app(), workspace, "guest");
    const member = await join(app(), workspace, "member");
    const { body: link } = await admin.rest.post(`${home}/invites`, {});
    await admin.rest.post(`${home}/members/invite`, { email: "invited@example.com" });
    const [mail] = await mailsTo(app(), "invited@example.com");
    const mailed = /The invite code is (\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const codes = [String(link.inviteCode), mailed];
    for (const who of [guest, member]) {
      expect((await who.rest.get(`${home}/invite`)).status).toBe(403);
      for (const path of [
        home,
        `${home}/members`,
        `${home}/roles`,
        `${home}/boards`,
        `${home}/search?query=invite`,
        `${home}/permissions/me`,
        "/users/me/notifications",
        "/workspaces",
      ]) {
        const { status, body } = await who.rest.get(path);
        expect({ path, status }).toEqual({ path, status: 200 });
        for (const code of codes) expect(JSON.stringify(body), path).not.toContain(code);
      }
    }
    // Not even the one who invited is shown the code that was mailed.
    for (const path of [`${home}/members`, `${home}/invite`, `${home}/audit`]) {
      expect(JSON.stringify((await admin.rest.get(path)).body)).not.toContain(mailed);
    }
  });

  test("permission granted to oneself", async () => {
    const { workspace, home } = await start();
    const member = await join(app(), workspace, "member");
    const mine = () => member.rest.get(`${home}/permissions/me`);
    const grants = `${home}/members/${member.memberPublicId}/permissions/grant`;
    const before = (await mine()).body;
    expect((await member.rest.post(grants, { permission: "member:edit" })).status).toBe(403);
    expect((await mine()).body).toEqual(before);

    // With the right to edit members, one's own still are not among them.
    await workspace.admin.rest.post(grants, { permission: "member:edit" });
    const held = (await mine()).body;
    for (const permission of ["workspace:manage", "board:delete", "member:edit"]) {
      expect((await member.rest.post(grants, { permission })).status).toBe(403);
    }
    const role = `${home}/members/${member.memberPublicId}/role`;
    expect((await member.rest.put(role, { role: "admin" })).status).toBe(403);
    const roleGrant = `${home}/roles/${workspace.roles.member}/permissions/grant`;
    expect((await member.rest.post(roleGrant, { permission: "board:delete" })).status).toBe(403);
    expect((await mine()).body).toEqual(held);
  });

  test("a read-only token that could delete", async () => {
    const { home, admin, board, list, card } = await start();
    const key = await keyOf(app(), admin, { readOnly: true });
    const { body: label } = await admin.rest.get(`/labels/${board.labels[0]}`);
    for (const path of [
      `/cards/${card}`,
      `/lists/${list}`,
      `/boards/${board.publicId}`,
      `/labels/${label.publicId}`,
      `${home}/invites`,
      home,
      "/users/me",
    ]) {
      expect({ path, status: (await key.rest.delete(path)).status }).toEqual({ path, status: 403 });
    }
    await expect(key.trpc.card.delete.mutate({ cardPublicId: card })).rejects.toMatchObject({
      data: { code: "FORBIDDEN" },
    });
    const hidden = { "X-HTTP-Method-Override": "DELETE" };
    const read = await key.rest.get(`/cards/${card}?_method=DELETE`, { headers: hidden });
    expect(read.status).toBe(400);
    expect((await key.rest.get(`/cards/${card}`, { headers: hidden })).status).toBe(200);
    expect((await admin.rest.get(`/cards/${card}`)).body.version).toBe(1);
  });

  test("rate limits dodged with X-Forwarded-For", async () => {
    const strict = await startApp({ env: { RATE_LIMIT: "25" } });
    const behind = await startApp({
      env: { RATE_LIMIT: "25", AUTH_RATE_LIMIT: "3", TRUST_PROXY: "1" },
    });
    try {
      const statuses = async (from: (nth: number) => string, target = strict) => {
        const seen: number[] = [];
        for (let nth = 0; nth < 7; nth++) {
          const headers = {
            "X-Forwarded-For": from(nth),
            "X-Real-IP": from(nth),
            Forwarded: `for=${from(nth)}`,
          };
          seen.push((await target.call({ method: "GET", path: "/health", headers })).status);
        }
        return seen;
      };
      const limited = [200, 200, 200, 200, 200, 429, 429];
      expect(await statuses((nth) => `203.0.113.${nth}`)).toEqual(limited);
      // Behind a proxy only what the proxy itself has added counts.
      expect(await statuses((nth) => `203.0.113.${nth}, 198.51.100.1`, behind)).toEqual(limited);
      expect(await statuses(() => "198.51.100.2", behind)).toEqual(limited);

      const tries: number[] = [];
      for (let nth = 0; nth < 5; nth++) {
        const body = { email: "victim@example.com", password: `guess number ${nth}` };
        const headers = { "X-Forwarded-For": `203.0.113.${nth}, 198.51.100.10` };
        const login = { method: "POST", path: "/auth/login", body, headers };
        tries.push((await behind.call(login)).status);
      }
      expect(tries).toEqual([401, 401, 401, 429, 429]);
    } finally {
      await strict.close();
      await behind.close();
    }
  });

  test("secrets in logs", async () => {
    const lines: string[] = [];
    const { config, db, clock, outgoing } = app().deps;
    const deps = await createDeps({
      config: { ...config, NODE_ENV: "production", LOG_LEVEL: "trace" },
      log: createLogger("trace", { write: (line) => void lines.push(line) }),
      db,
      clock,
      outgoing,
      stopping: () => false,
    });
    const service = createApp(deps);
    const secrets: string[] = [];
    const call = async (method: string, path: string, body?: object, token?: string) => {
      const response = await service.request(path.startsWith("/") ? `/api/v1${path}` : `/${path}`, {
        method,
        headers: {
          "Content-Type": "application/json",
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return text === "" ? {} : JSON.parse(text);
    };
    const password = "the password of a log test";
    const email = "logged@example.com";
    const { accessToken, refreshToken } = await call("POST", "/auth/register", {
      email,
      password,
      name: "x",
    });
    const { key } = await call("POST", "/auth/api-keys", { name: "key", password }, accessToken);
    const { publicId } = await call("POST", "/workspaces", { name: "Logged" }, key);
    const invite = await call("POST", `/workspaces/${publicId}/invites`, {}, accessToken);
    const secret = `whsec_${Buffer.from("a secret of twenty-four bytes").toString("base64")}`;
    const webhook = { name: "x", url: "https://93.184.215.14/hook", events: ["*"], secret };
    await call("POST", `/workspaces/${publicId}/webhooks`, webhook, accessToken);
    const [apiKey, token] = ["0123456789abcdef".repeat(2), "ATTA".padEnd(76, "5e")];
    await call(
      "GET",
      `/imports/trello/boards?apiKey=${apiKey.slice(1)}&token=${token}`,
      undefined,
      accessToken,
    );
    await call("POST", "/auth/login", { email, password: `${password}, nearly` });
    await call("POST", "/auth/refresh", { refreshToken });
    await call("GET", `/invites/${invite.inviteCode}`);
    await call("POST", "/auth/password/reset", { token: "a-mailed-token", newPassword: password });
    await call(
      "GET",
      `trpc/user.me?input=${encodeURIComponent(JSON.stringify({ secret }))}`,
      undefined,
      accessToken,
    );
    // These are unexpected: the whole error is logged.
    await db.write(sql`ALTER TABLE users ADD CONSTRAINT seen CHECK (name <> 'fault')`);
    await db.write(sql`ALTER TABLE api_keys ADD CONSTRAINT seen CHECK (name <> 'fault')`);
    await db.write(sql`ALTER TABLE cards ADD CONSTRAINT seen CHECK (title NOT LIKE 'fault%')`);
    const board = await call(
      "POST",
      `/workspaces/${publicId}/boards`,
      { name: "x", lists: ["x"] },
      accessToken,
    );
    const confidential = "fault: confidential text";
    const faults = [
      await call("POST", "/auth/register", { email: "fault@example.com", password, name: "fault" }),
      await call("POST", "/auth/api-keys", { name: "fault", password }, accessToken),
      await call(
        "POST",
        "/cards",
        { title: confidential, listPublicId: board.lists[0].publicId },
        accessToken,
      ),
    ];
    expect(faults.map(({ code }) => code)).toEqual(Array(3).fill("INTERNAL_SERVER_ERROR"));
    // As in a job: the database's own fault, which shows the whole row.
    const fault = await violateConstraint({ db }, "fault");
    deps.log.warn({ err: fault }, "a job failed");
    await db.write(sql`ALTER TABLE users DROP CONSTRAINT seen`);
    await db.write(sql`ALTER TABLE api_keys DROP CONSTRAINT seen`);
    await db.write(sql`ALTER TABLE cards DROP CONSTRAINT seen`);

    secrets.push(
      password,
      accessToken,
      refreshToken,
      key,
      invite.inviteCode,
      secret,
      apiKey.slice(1),
      token,
    );
    secrets.push(
      "a-mailed-token",
      confidential,
      "$argon2id$",
      "row@example.com",
      config.APP_SECRET,
    );
    expect(lines.length).toBeGreaterThan(15);
    const log = lines.join("");
    for (const one of secrets) expect(log, one).not.toContain(one);
  });

  test("status codes that reveal to strangers which ids exist", async () => {
    const { workspace, home, board, list, card } = await start();
    const stranger = await makeUser(app());
    // Without a valid credential, existing and unknown ids get the same response.
    const response = async (who: As, path: string) => {
      const { status, body } = await who.rest.get(path);
      return JSON.stringify({ status, body });
    };
    for (const who of [as(app()), as(app(), "wbs_guess"), as(app(), "a.b.c")]) {
      for (const [there, away] of [
        [`/cards/${card}`, "/cards/aaaaaaaaaaaa"],
        [`/boards/${board.publicId}`, "/boards/aaaaaaaaaaaa"],
        [`${home}/cards/1`, `${home}/cards/999999`],
      ] as const) {
        expect(await response(who, there)).toBe(await response(who, away));
      }
    }
    // Enumerable names, such as numbers and slugs, reveal nothing to a stranger.
    expect(await response(stranger, `${home}/cards/1`)).toBe(
      await response(stranger, `${home}/cards/999999`),
    );
    const slugs = `/workspaces/by-slug/${workspace.slug}/boards`;
    const { body: shown } = await workspace.admin.rest.get(`/boards/${board.publicId}`);
    expect(await response(stranger, `${slugs}/${shown.slug}`)).toBe(
      await response(stranger, `${slugs}/no-such-board`),
    );
    // Ids cannot be guessed: they are random and independent of each other.
    const ids = new Set<string>();
    for (let nth = 0; nth < 150; nth++) ids.add(await makeCard(workspace.admin, list));
    expect(ids.size).toBe(150);
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{12}$/);
    for (let position = 0; position < 12; position++) {
      expect(new Set([...ids].map((id) => id[position])).size, `index ${position}`).toBeGreaterThan(
        20,
      );
    }
    for (const guess of ["1", "2", card.slice(0, 11), `${list.slice(0, 11)}%`]) {
      expect([400, 404]).toContain((await stranger.rest.get(`/cards/${guess}`)).status);
    }
  });
});

import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join } from "../../support/make.ts";
import { png, start, upload } from "./files.ts";

const app = useApp({ env: { RATE_LIMIT: "100" } });

async function withUrl() {
  const world = await start(app());
  const { body } = await upload(app(), world.user, world.card, png, { filename: "tree.png" });
  const id = String(body.publicId);
  const signed = await world.user.rest.get(`/attachments/${id}/file-url`);
  return { ...world, id, url: new URL(signed.body.url) };
}

/** Downloads as `<img>` does: without a credential. */
const get = (url: URL, init?: RequestInit) => app().fetch(new Request(url, init));
const codeOf = async (response: Response) =>
  ((await response.json()) as { issues: { code: string }[] }).issues[0]?.code;

describe("attachment.file", () => {
  test("answers the bytes without a credential, with the headers of a download", async () => {
    const { url, id, user } = await withUrl();
    const [signed, plain] = [
      await get(url),
      await app().fetch(
        new Request(new URL(`/api/v1/attachments/${id}/content`, url), {
          headers: { Authorization: `Bearer ${user.token}` },
        }),
      ),
    ];
    expect(signed.status).toBe(200);
    expect(Buffer.from(await signed.arrayBuffer())).toEqual(png);
    for (const name of [
      "content-type",
      "content-disposition",
      "content-security-policy",
      "x-content-type-options",
      "cache-control",
      "etag",
    ]) {
      expect([name, signed.headers.get(name)]).toEqual([name, plain.headers.get(name)]);
    }
    expect(signed.headers.get("content-type")).toBe("image/png");
    const part = await get(url, { headers: { Range: "bytes=0-3" } });
    expect([part.status, part.headers.get("content-length")]).toEqual([206, "4"]);
  });

  test("is 404 after five minutes", async () => {
    const { url } = await withUrl();
    app().advance(5 * 60_000 - 1_000);
    expect((await get(url)).status).toBe(200);
    app().advance(1_000);
    const expired = await get(url);
    expect([expired.status, await codeOf(expired)]).toEqual([404, "file_url_invalid"]);
  });

  test("is 404 for a token that was changed, at any position, or of another file", async () => {
    const { url, user, card } = await withUrl();
    const token = url.searchParams.get("token") ?? "";
    const other = await upload(app(), user, card, "text", { filename: "other.txt" });
    const moved = new URL(url.href.replace(/[^/]+\/file\?/, `${other.body.publicId}/file?`));
    const positions = [0, 3, 20, Math.floor(token.length / 2), token.length - 2];
    const changed = positions.map((at) => {
      const next = token[at] === "A" ? "B" : "A";
      const address = new URL(url);
      address.searchParams.set("token", token.slice(0, at) + next + token.slice(at + 1));
      return address;
    });
    for (const address of [moved, ...changed]) {
      const response = await get(address);
      expect([response.status, await codeOf(response)]).toEqual([404, "file_url_invalid"]);
    }
  });

  test("is 404 at once when the file, its card or its board is deleted", async () => {
    for (const path of [
      ({ id }: Paths) => `/attachments/${id}`,
      ({ card }: Paths) => `/cards/${card}`,
      ({ board }: Paths) => `/boards/${board.publicId}`,
    ]) {
      const world = await withUrl();
      await world.user.rest.delete(path(world));
      const response = await get(world.url);
      expect([response.status, await codeOf(response)]).toEqual([404, "attachment_not_found"]);
    }
  });

  test("is 404 at once when its signer loses access", async () => {
    type World = Awaited<ReturnType<typeof withUrl>> & { member: string };
    const changes: [string, (world: World) => Promise<{ status: number }>][] = [
      [
        "board",
        ({ user, board }) =>
          user.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" }),
      ],
      [
        "permission",
        ({ user, workspace, member }) =>
          user.rest.post(`/workspaces/${workspace.publicId}/members/${member}/permissions/revoke`, {
            permission: "card:view",
          }),
      ],
      [
        "membership",
        ({ user, workspace, member }) =>
          user.rest.delete(`/workspaces/${workspace.publicId}/members/${member}`),
      ],
    ];
    for (const [name, lose] of changes) {
      const world = await withUrl();
      const reader = await join(app(), world.workspace, "member");
      const key = await reader.rest.post("/auth/api-keys", {
        name: "key",
        password: "a password for tests",
        permissions: ["card:view"],
      });
      const byKey = as(app(), String(key.body.key));
      const signed = [reader, byKey, byKey].map((signer) =>
        signer.rest.get(`/attachments/${world.id}/file-url`),
      );
      const urls = (await Promise.all(signed)).map(({ body }) => new URL(body.url));
      const statuses = () => Promise.all(urls.map(async (url) => (await get(url)).status));
      expect([name, await statuses()]).toEqual([name, [200, 200, 200]]);
      expect((await lose({ ...world, member: reader.memberPublicId })).status).toBe(200);
      expect([name, await statuses()]).toEqual([name, [404, 404, 404]]);
      expect((await get(world.url)).status).toBe(200);
    }
  });

  test("is 404 at once when its key is revoked, or its session ends", async () => {
    const { user, id, url } = await withUrl();
    const key = await user.rest.post("/auth/api-keys", {
      name: "key",
      password: "a password for tests",
    });
    const byKey = await as(app(), String(key.body.key)).rest.get(`/attachments/${id}/file-url`);
    expect((await get(new URL(byKey.body.url))).status).toBe(200);
    const revoked = await user.rest.delete(`/auth/api-keys/${key.body.publicId}`);
    expect(revoked.status).toBe(200);
    const response = await get(new URL(byKey.body.url));
    expect([response.status, await codeOf(response)]).toEqual([404, "file_url_invalid"]);
    expect((await user.rest.post("/auth/logout")).status).toBe(200);
    expect((await get(url)).status).toBe(404);
  });

  test("has a limit of its own: a page has more images than an address has calls", async () => {
    const { url, user } = await withUrl();
    const left = async () => {
      const { headers } = await user.rest.get("/users/me");
      return Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
    };
    const before = await left();
    for (let nth = 0; nth < 100; nth++) expect((await get(url)).status).toBe(200);
    expect((await get(url)).status).toBe(429);
    // A flood of one URL uses up no calls of the user who signed it.
    expect(await left()).toBe(before - 1);
    const guess = new URL(url);
    guess.searchParams.set("token", "v1.unknown");
    const statuses = new Set<number>();
    for (let nth = 0; nth < 110; nth++) statuses.add((await get(guess)).status);
    expect(statuses).toEqual(new Set([404, 429]));
  });
});

type Paths = { id: string; card: string; board: { publicId: string } };

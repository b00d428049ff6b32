import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
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

import { expect, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { start, upload } from "../domain/attachments/files.ts";
import { useApp, type App } from "../support/app.ts";
import { join } from "../support/make.ts";

const app = useApp({ constants: { DOWNLOADS_PER_MINUTE: 1 } });
const usual = useApp({ env: { RATE_LIMIT: "100" } });

const kilobyte = 1_000;
const names = routesOf(appRouter)
  .filter(({ options }) => options.response === "bytes")
  .map(({ operation }) => operation);

type Get = (token: string, headers?: Record<string, string>) => Promise<Response>;

/** A card with a file, and each operation that answers its bytes. */
async function scene(service: App, bytes: number, fetch = service.fetch) {
  const world = await start(service);
  const { status, body } = await upload(service, world.user, world.card, new Uint8Array(bytes));
  expect([status, body]).toMatchObject([200, { size: bytes }]);
  const path = `/attachments/${body.publicId}`;
  const get = (url: string, headers: Record<string, string>) =>
    fetch(new Request(url.replace(/^.*\/api/, "http://service/api"), { headers }));
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const downloads: Record<string, Get> = {
    "attachment.download": (token, headers = {}) =>
      get(`/api/v1${path}/content`, { ...bearer(token), ...headers }),
    "attachment.file": async (token, headers = {}) => {
      const signed = await get(`/api/v1${path}/file-url`, bearer(token));
      const { url }: any = await signed.json();
      return get(url, headers);
    },
  };
  /** Reads a file as a client; the status, and how many bytes there are. */
  const read = async (name: string, token: string, headers?: Record<string, string>) => {
    const response = await downloads[name]?.(token, headers);
    const { byteLength } = (await response?.arrayBuffer()) ?? new ArrayBuffer();
    return [response?.status, response?.ok ? byteLength : undefined];
  };
  return { ...world, downloads, read };
}

test.each(names)("the bytes of files count for the user who reads or signs: %s", async (name) => {
  const { user, workspace, read } = await scene(app(), 400 * kilobyte);
  const other = await join(app(), workspace, "member");
  const whole = [200, 400 * kilobyte];
  expect([await read(name, user.token), await read(name, user.token)]).toEqual([whole, whole]);
  expect(await read(name, user.token)).toEqual([429, undefined]);
  const range = { Range: "bytes=0-99" };
  expect(await read(name, user.token, range)).toEqual([206, 100]);
  expect(await read(name, other.token)).toEqual(whole);
});

test.each(names)("what a client does not read does not count: %s", async (name) => {
  // Without the copy for the check of answers, which reads all.
  const fetch = async (request: Request) => createApp(app().deps).fetch(request);
  const { user, downloads, read } = await scene(app(), 700 * kilobyte, fetch);
  for (let nth = 0; nth < 2; nth++) {
    const response = await downloads[name]?.(user.token);
    expect(response?.status).toBe(200);
    await response?.body?.cancel();
  }
  expect(await read(name, user.token)).toEqual([200, 700 * kilobyte]);
});

test("a signed URL does not use up what its signer reads with a credential", async () => {
  const { user, read } = await scene(app(), 900 * kilobyte);
  expect((await read("attachment.file", user.token))[0]).toBe(200);
  expect((await read("attachment.file", user.token))[0]).toBe(429);
  expect((await read("attachment.download", user.token))[0]).toBe(200);
});

test("a page shows 50 images within the usual limits", async () => {
  const bytes = 2_000 * kilobyte;
  const { user, read } = await scene(usual(), bytes);
  const page = await Promise.all(
    Array.from({ length: 50 }, () => read("attachment.file", user.token)),
  );
  for (const image of page) expect(image).toEqual([200, bytes]);
});

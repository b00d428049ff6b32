import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { rows, start, stored, upload } from "./files.ts";

const app = useApp({ env: { ATTACHMENTS_QUOTA: "52" } });
const mebibyte = 1024 * 1024;

/** Begins an upload without a length; `finish` sends its end. */
function begin({ user, card }: Awaited<ReturnType<typeof start>>) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      given.enqueue(new Uint8Array(1_000));
    },
  });
  return { response: upload(app(), user, card, body), finish: () => controller?.close() };
}

test("an upload of unknown length counts as the largest file until its end", async () => {
  const scene = await start(app());
  const { user, card } = scene;
  const pending = begin(scene);
  await expect.poll(async () => (await rows(app())).length).toBe(1);
  await expect.poll(() => stored(app())).toHaveLength(1);
  expect(await upload(app(), user, card, new Uint8Array(3 * mebibyte))).toMatchObject({
    status: 409,
    body: { issues: [{ code: "quota_exceeded" }] },
  });
  expect((await upload(app(), user, card, new Uint8Array(mebibyte))).status).toBe(200);
  expect((await begin(scene).response).status).toBe(409);
  pending.finish();
  expect((await pending.response).status).toBe(200);
  expect((await upload(app(), user, card, new Uint8Array(3 * mebibyte))).status).toBe(200);
});

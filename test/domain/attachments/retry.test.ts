import { afterEach, describe, expect, test, vi } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { rows, start, upload, type Said } from "./files.ts";
import { waitUntil } from "../../support/wait.ts";

const app = useApp();
afterEach(() => vi.useRealTimers());

/** A body that ends when the test ends it. */
function slowBody() {
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes("bytes"));
      end = () => controller.close();
    },
  });
  return { body, end: () => end() };
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Text as a body without a length. */
const streamed = (text: string) => ReadableStream.from([bytes(text)]);

let count = 0;
const keyed = (said: Said = {}, key = `upload-${++count}`): Said => ({
  ...said,
  headers: { "Idempotency-Key": key, ...said.headers },
});

describe("an upload with an Idempotency-Key", () => {
  test("stores one file, however often it is repeated", async () => {
    const { user, card } = await start(app());
    const said = keyed({ filename: "a.txt" });
    const first = await upload(app(), user, card, "bytes", said);
    const second = await upload(app(), user, card, "bytes", said);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toHaveLength(1);
  });

  test("with other bytes of the same length is 422, and stores nothing", async () => {
    const { user, card } = await start(app());
    const said = keyed({ filename: "a.txt" });
    const first = await upload(app(), user, card, "bytes", said);
    const other = await upload(app(), user, card, "BYTES", said);
    expect([first.status, other.status]).toEqual([200, 422]);
    expect((await upload(app(), user, card, "bytes", said)).body).toEqual(first.body);
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toHaveLength(1);
  });

  test("is another call when the file has another name, length, type or digest", async () => {
    const { user, card } = await start(app());
    const key = "the-same-key";
    const sized = (text: string, headers: Record<string, string> = {}) => ({
      "Content-Length": String(bytes(text).length),
      ...headers,
    });
    const digest = { "Content-Digest": "sha-256=:first:" };
    const first = {
      filename: "a.txt",
      headers: sized("bytes", { "Content-Type": "text/plain", ...digest }),
    };
    expect((await upload(app(), user, card, bytes("bytes"), keyed(first, key))).status).toBe(200);
    for (const [body, other] of [
      ["bytes", { ...first, filename: "b.txt" }],
      [
        "bytes more",
        { ...first, headers: sized("bytes more", { "Content-Type": "text/plain", ...digest }) },
      ],
      ["bytes", { ...first, headers: sized("bytes", { "Content-Type": "image/png", ...digest }) }],
      ["bytes", { ...first, headers: { ...first.headers, "Content-Digest": "sha-256=:other:" } }],
    ] as const) {
      const { status, body: said } = await upload(
        app(),
        user,
        card,
        bytes(body),
        keyed(other, key),
      );
      expect({ status, code: said.code }).toEqual({ status: 422, code: "UNPROCESSABLE_CONTENT" });
    }
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toHaveLength(1);
  });

  test("that is slow locks its key: a retry is 409 meanwhile, then the same answer", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { user, card } = await start(app());
    const said = keyed({ filename: "slow.txt" });
    let end: (() => void) | undefined;
    const slow = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes("bytes"));
        end = () => controller.close();
      },
    });
    const sending = upload(app(), user, card, slow, said);
    await waitUntil(async () =>
      (await rows(app())).some(({ filename }) => filename === "slow.txt"),
    );
    const claimed = async () => {
      const [row] = await app().db.reader.idempotencyKey.findMany({
        where: { response: null },
      });
      return row?.createdAt.getTime();
    };
    for (let minute = 0; minute < 3; minute++) {
      const before = await claimed();
      app().advance(50_000);
      vi.advanceTimersByTime(20_000);
      await waitUntil(async () => (await claimed()) !== before);
      expect((await upload(app(), user, card, streamed("bytes"), said)).status).toBe(409);
    }
    end?.();
    const first = await sending;
    expect(first.status).toBe(200);
    const again = await upload(app(), user, card, streamed("bytes"), said);
    expect(again.body).toEqual(first.body);
  });

  test("claims its key again when the connection of the process lock is lost", async () => {
    const { user, card } = await start(app());
    const said = keyed({ filename: "lost.txt" });
    const { body, end } = slowBody();
    const sending = upload(app(), user, card, body, said);
    const lockedBy = async () => {
      const [row] = await app().db.reader.idempotencyKey.findMany({
        where: { response: null },
      });
      return row?.lockedBy ?? undefined;
    };
    await waitUntil(async () => (await lockedBy()) !== undefined);
    const before = await lockedBy();
    await app().db.read(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE '%process lock'`);
    await waitUntil(async () => (await lockedBy()) !== before);
    expect((await upload(app(), user, card, streamed("bytes"), said)).status).toBe(409);
    end();
    expect((await sending).status).toBe(200);
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toHaveLength(1);
  });

  test("that lost its key to a repeated call stores nothing", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { user, card } = await start(app());
    const said = keyed({ filename: "stalled.txt" });
    const { body, end } = slowBody();
    const sending = upload(app(), user, card, body, said);
    await waitUntil(async () =>
      (await rows(app())).some(({ filename }) => filename === "stalled.txt"),
    );
    app().advance(61_000);
    const second = await upload(app(), user, card, bytes("bytes"), said);
    expect(second.status).toBe(200);
    end();
    const first = await sending;
    expect([first.status, first.body.issues[0].code]).toEqual([409, "idempotency_key_in_flight"]);
    expect((await upload(app(), user, card, bytes("bytes"), said)).body).toEqual(second.body);
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toHaveLength(1);
  });
});

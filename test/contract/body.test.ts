import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { expectFailure, expectFaults } from "./failure.ts";
import { sendRaw } from "./raw.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const postList = (body: string | Uint8Array, type = "application/json") =>
  sendRaw(app(), {
    method: "POST",
    path: "/api/v1/lists",
    token: world.admin.token,
    body,
    ...(type === "" ? {} : { type }),
  });
const goodList = () => ({ name: "x", boardPublicId: world.board });

describe("a body with text that cannot be stored", () => {
  test.each([
    ["a NUL", '{"name":"a\\u0000b","boardPublicId":"BOARD"}', "name"],
    ["a first half of a character", '{"name":"a\\ud83d","boardPublicId":"BOARD"}', "name"],
    ["a second half of a character", '{"name":"\\ude42a","boardPublicId":"BOARD"}', "name"],
    ["a NUL in an id", '{"name":"a","boardPublicId":"abcdefghijk\\u0000"}', "boardPublicId"],
    ["a NUL in what is unknown", '{"name":"a","boardPublicId":"BOARD","x":["\\u0000"]}', "x"],
  ])("is 400 for %s", async (_, body, field) => {
    expectFaults(await postList(body.replace("BOARD", world.board)), field);
  });

  test("is stored when both surrogates are there, however they are escaped", async () => {
    const reply = await postList(`{"name":"\\ud83d\\ude42","boardPublicId":"${world.board}"}`);
    expect(reply.body.name).toBe("🙂");
  });

  test("is 400 for bytes that are not UTF-8", async () => {
    const text = Buffer.from(JSON.stringify(goodList()));
    const at = text.indexOf("x");
    for (const bytes of [
      [0xff],
      [0xc3],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ]) {
      const body = Buffer.concat([text.subarray(0, at), Buffer.from(bytes), text.subarray(at)]);
      expectFailure(await postList(new Uint8Array(body)), "BAD_REQUEST", [{}]);
    }
    const utf16 = new Uint8Array(Buffer.from(JSON.stringify(goodList()), "utf16le"));
    expectFailure(await postList(utf16), "BAD_REQUEST", [{}]);
  });
});

describe("a body at the limits", () => {
  test("is 415 without a content type, before other errors", async () => {
    expectFailure(
      await postList('{"name":"x","boardPublicId":"y"}', ""),
      "UNSUPPORTED_MEDIA_TYPE",
      [{ message: expect.stringContaining("application/json") }],
    );
  });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON;charset=UTF-8",
    "application/merge-patch+json",
  ])("is read with the content type %s", async (type) => {
    expect((await postList(JSON.stringify(goodList()), type)).status).toBe(200);
  });

  test.each(["application/jsonp", "text/json-ish", "application/xml, application/json", "x/json"])(
    "is 415 with the content type %s",
    async (type) => {
      const reply = await postList(JSON.stringify(goodList()), type);
      expectFailure(reply, "UNSUPPORTED_MEDIA_TYPE", [{}]);
    },
  );

  test("is limited to 1 MiB", async () => {
    const text = JSON.stringify(goodList());
    const most = text.padEnd(1024 * 1024);
    expect((await postList(most)).status).toBe(200);
    expectFailure(await postList(`${most} `), "PAYLOAD_TOO_LARGE", [{}]);
  });

  test.each([
    ["numbers", { name: 1, boardPublicId: 2 }],
    ["lists", { name: ["x"], boardPublicId: [] }],
    ["objects", { name: {}, boardPublicId: { $ne: "" } }],
    ["booleans", { name: true, boardPublicId: false }],
    ["nulls", { name: null, boardPublicId: null }],
  ])("is 400 with %s instead of text, with an issue per field", async (_, body) => {
    expectFaults(await postList(JSON.stringify(body)), "name", "boardPublicId");
  });

  test.each([
    "-1",
    "1.5",
    "1e400",
    "-1e400",
    "9007199254740993",
    "2147483648",
    '"0"',
    "[]",
    "null",
  ])("is 400 with %s as an index", async (index) => {
    const body = `{"name":"x","boardPublicId":"${world.board}","index":${index}}`;
    expectFaults(await postList(body), "index");
  });

  test("is 400 for nesting beyond 100 levels, in linear time", async () => {
    const levels = "[".repeat(500_000) + "]".repeat(500_000);
    const reply = await postList(`{"name":${levels},"boardPublicId":"${world.board}"}`);
    const message = "The JSON must not nest deeper than 100 levels.";
    expectFailure(reply, "BAD_REQUEST", [{ message }]);
  });
});

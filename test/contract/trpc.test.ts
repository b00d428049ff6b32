import { TRPCClientError } from "@trpc/client";
import { beforeAll, describe, expect, test } from "vitest";
import { useApp, type Reply } from "../support/app.ts";
import { expectIssues, failures, type Code } from "./failure.ts";
import { chunks, sendRaw, type Raw } from "./raw.ts";
import { makeWorld, unknownId, type World } from "./world.ts";

const app = useApp({ isolated: true });
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const json = "application/json";
const send = (raw: Raw) =>
  sendRaw(app(), { token: world.admin.token, ...raw, path: `/trpc/${raw.path}` });
const post = (path: string, body: string | Uint8Array, type = json) =>
  send({ method: "POST", path, body, ...(type === "" ? {} : { type }) });
const input = (value: unknown) => encodeURIComponent(JSON.stringify(value));

/** Asserts the error of a call: code, message and issues in its data, without internals. */
function expectError(error: any, code: Code) {
  const [httpStatus, message] = failures[code];
  expect(error.message).toBe(message);
  expect(error.data).toEqual({
    code,
    message,
    issues: expect.any(Array),
    httpStatus,
    ...("path" in error.data ? { path: error.data.path } : {}),
  });
  expectIssues(error.data.issues);
}
function expectFailed({ status, body, headers }: Reply, code: Code) {
  expect(status).toBe(failures[code][0]);
  for (const each of [body].flat()) expectError(each.error, code);
  expect(headers.get("x-request-id")).toMatch(/\S/);
}

describe("a call over tRPC", () => {
  test("has the same errors as REST, in its data", async () => {
    const good = JSON.stringify({ name: "a", boardPublicId: world.board });
    const missing = JSON.stringify({ name: "a", boardPublicId: unknownId });
    expectFailed(await post("list.create", "{}"), "BAD_REQUEST");
    expectFailed(await post("list.create", missing), "NOT_FOUND");
    const call = { method: "POST", path: "list.create", type: json, body: good };
    expectFailed(await send({ ...call, token: undefined }), "UNAUTHORIZED");
    expectFailed(await send({ ...call, token: world.guest.token }), "FORBIDDEN");
    const headers = { "If-Match": '"999"' };
    expectFailed(await send({ ...call, headers }), "PRECONDITION_FAILED");
  });

  test("throws a typed error in the client", async () => {
    const failed = world.guest.trpc.list.create.mutate({ name: "a", boardPublicId: world.board });
    const error = await failed.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject({
      message: "Insufficient access",
      data: {
        code: "FORBIDDEN",
        message: "Insufficient access",
        issues: [{ code: "list:create" }],
      },
    });
  });

  test.each(["nothing", "list", "list.nothing", "list.create.more", "__proto__", "constructor"])(
    "is 404 for %s, which is not a procedure",
    async (path) => {
      expectFailed(await send({ method: "GET", path }), "NOT_FOUND");
      expectFailed(await post(path, "{}"), "NOT_FOUND");
    },
  );

  test("is 405 for a mutation by GET, and for a query by POST", async () => {
    const path = `list.create?input=${input({ name: "a", boardPublicId: world.board })}`;
    expectFailed(await send({ method: "GET", path }), "METHOD_NOT_SUPPORTED");
    expectFailed(await post("workspace.list", "{}"), "METHOD_NOT_SUPPORTED");
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const reply = await send({ method, path: "list.create", type: json, body: "{}" });
      expect(reply.status).toBe(405);
    }
  });

  test("is 415 for a body that is not JSON", async () => {
    for (const type of ["", "text/plain"]) {
      expectFailed(await post("list.create", "{}", type), "UNSUPPORTED_MEDIA_TYPE");
    }
  });

  test.each(["{", "{'a':1}", "", "[", '{"a":\u0000}'])("is 400 for %j as a body", async (body) => {
    expectFailed(await post("list.create", body), "BAD_REQUEST");
  });

  test.each(["[]", "null", '"text"', "1", "[[]]", '{"__proto__":{"a":1}}', '{"name":"\\u0000"}'])(
    "is 400 for %s as an input",
    async (text) => {
      expectFailed(await post("list.create", text), "BAD_REQUEST");
      const path = `card.get?input=${encodeURIComponent(text)}`;
      expectFailed(await send({ method: "GET", path }), "BAD_REQUEST");
    },
  );

  test.each(["{", "%7B%zz", "undefined", "%00"])("is 400 for ?input=%s", async (text) => {
    expectFailed(await send({ method: "GET", path: `card.get?input=${text}` }), "BAD_REQUEST");
  });

  test("is 400 for deep nesting, without delay", async () => {
    const levels = 400_000;
    const deep = `{"name":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expectFailed(await post("list.create", deep), "BAD_REQUEST");
  });

  test.each<[string, Partial<Raw>]>([
    ["bytes that are not UTF-8", { body: Buffer.from('{"name":"caf\xe9"}', "latin1") }],
    ["another charset", { type: "application/json; charset=iso-8859-1" }],
    ["a compressed body", { headers: { "Content-Encoding": "gzip" } }],
    ["another type", { type: "text/plain" }],
    ["a file", { type: "application/octet-stream" }],
    ["a form", { type: "multipart/form-data; boundary=a" }],
    ["no type", { type: "" }],
  ])("refuses %s as REST does", async (_, raw) => {
    const call = { method: "POST", type: json, body: '{"name":"Home"}', ...raw };
    const { type, ...rest } = call;
    const sent = type === "" ? rest : { ...rest, type };
    const token = world.admin.token;
    const ofRest = await sendRaw(app(), { ...sent, token, path: "/api/v1/workspaces" });
    const { status, body } = await send({ ...sent, path: "workspace.create" });
    expect([400, 415]).toContain(status);
    expect([status, body.error.data.issues]).toEqual([ofRest.status, ofRest.body.issues]);
  });

  test("refuses a query that is not UTF-8 as REST does", async () => {
    const { status, body } = await send({ method: "GET", path: "card.get?input=%22a%FFb%22" });
    expect([status, body.error.data.issues]).toEqual([
      400,
      [{ code: "invalid_query", message: "The query must be UTF-8 with percent-encoding." }],
    ]);
  });

  test("names the method of a call, before its content type", async () => {
    for (const [path, allow] of [
      ["workspace.list", "GET"],
      ["workspace.create", "POST"],
    ]) {
      const { status, headers } = await send({ method: "PUT", path: path ?? "" });
      expect([path, status, headers.get("allow")]).toEqual([path, 405, allow]);
    }
  });

  test.each([
    ["GET", "nothing"],
    ["GET", "list.create"],
    ["GET", "card.get?input={"],
    ["POST", "list.create"],
    ["GET", `${Array.from({ length: 51 }, () => "workspace.list").join()}?batch=1`],
    ["GET", "workspace.list,user.me?batch=1&input=[1"],
    ["GET", "workspace.list,list.create?batch=1"],
    ["GET", "workspace.list?connectionParams={"],
  ])("says in our words why %s %s is refused", async (method, path) => {
    const { body } = await send({
      method,
      path,
      ...(method === "POST" ? { body: "{", type: json } : {}),
    });
    for (const { error } of [body].flat()) {
      const [issue] = error.data.issues;
      expect(issue.message).toMatch(/^[A-Z].*\.$/);
      expect(issue.message).not.toMatch(
        /procedure (?:found|at)|Unexpected|position|Unsupported|mix/,
      );
    }
  });

  test("is 413 for 2 MiB, with a length and without one", async () => {
    const call = { method: "POST", path: "list.create", type: json };
    const body = new Uint8Array(2 * 1024 * 1024).fill(32);
    expectFailed(await send({ ...call, body }), "PAYLOAD_TOO_LARGE");
    const { stream, pulled } = chunks(1000);
    expectFailed(await send({ ...call, body: stream }), "PAYLOAD_TOO_LARGE");
    expect(pulled()).toBeLessThan(20);
  });
});

describe("a batch", () => {
  const names = (count: number, name = "workspace.list") =>
    Array.from({ length: count }, () => name).join();

  test("has a result or an error for each call", async () => {
    const body = JSON.stringify({
      0: { name: "In a batch", boardPublicId: world.board },
      1: { name: "", boardPublicId: world.board },
      2: { name: "a", boardPublicId: unknownId },
    });
    const reply = await post(`${names(3, "list.create")}?batch=1`, body);
    expect(reply.status).toBe(207);
    expect(reply.body[0].result.data).toEqual({
      publicId: expect.any(String),
      name: "In a batch",
    });
    expectError(reply.body[1].error, "BAD_REQUEST");
    expectError(reply.body[2].error, "NOT_FOUND");
  });

  test("is limited to 50 calls", async () => {
    const most = await send({ method: "GET", path: `${names(50)}?batch=1` });
    expect([most.status, most.body.length]).toEqual([200, 50]);
    for (const count of [51, 500]) {
      const reply = await send({ method: "GET", path: `${names(count)}?batch=1` });
      expectFailed(reply, "BAD_REQUEST");
    }
  });

  test.each(["{", "[", "null", "[]", "1", '"0"', '{"0":1}', '{"x":{}}', '{"__proto__":{"0":{}}}'])(
    "is 400 for %s as body",
    async (body) => {
      expectFailed(await post("list.create?batch=1", body), "BAD_REQUEST");
    },
  );

  test("without a known call is 404", async () => {
    expectFailed(await send({ method: "GET", path: "?batch=1" }), "NOT_FOUND");
    const reply = await send({ method: "GET", path: "workspace.list,nothing?batch=1" });
    expect(reply.status).toBe(207);
    expectError(reply.body[1].error, "NOT_FOUND");
  });

  test("requires a credential for each call that needs one", async () => {
    const path = "health.check,workspace.list?batch=1";
    const reply = await send({ method: "GET", path, token: undefined });
    expect(reply.body[0].result.data.status).toBe("ok");
    expectError(reply.body[1].error, "UNAUTHORIZED");
  });
});

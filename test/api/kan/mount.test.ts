import { beforeAll, describe, expect, test } from "vitest";
import { translations } from "../../../src/api/kan/table.ts";
import { callLogOf } from "../../../src/api/rest/call-log.ts";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { expectFailure } from "../../contract/failure.ts";
import { useApp, type App } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { clientOf, expectKanFailure } from "./client.ts";
import { bodiesOf, fill, makeSample, queryOf, type Sample } from "./sample.ts";

const app = useApp();
const withoutKan = useApp({ env: { KAN_API: "false" } });

let sample: Sample;
beforeAll(async () => {
  sample = await makeSample(app());
});

/** An empty body for a write. */
const given = ({ method }: { method: string }) => (method === "GET" ? {} : { body: {} });
const unknown = (path: string) => path.replace(/\{\w+\}/g, "zzzzzzzzzzzz");
const routes = routesOf(appRouter);
const isTranslated = ({ method, path }: { method: string; path: string }) =>
  translations.some((one) => one.method === method && one.path === path);

const object = (body: unknown) => (typeof body === "object" ? body : {});
/** What Kan's errors have beside ours. */
const kanData = {
  code: expect.stringMatching(/^[A-Z_]+$/),
  httpStatus: expect.any(Number),
  path: expect.toSatisfy((path) => path === null || typeof path === "string"),
  zodError: expect.toSatisfy((error) => error === null || Array.isArray(error.formErrors)),
};

/** A request, with the operation that it reached and its answer. */
async function send(to: App, method: string, path: string, token?: string) {
  const request = new Request(`http://service${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(method === "GET" ? {} : { "Content-Type": "application/json" }),
    },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
  const response = await to.fetch(request);
  const isJson = response.headers.get("content-type") === "application/json";
  const body: unknown = isJson ? await response.json() : await response.body?.cancel();
  return { operation: callLogOf(request).operation, status: response.status, body };
}

describe("what is not translated is the REST API", () => {
  test.each(routes.filter((route) => !isTranslated(route)))(
    "$method $path",
    async ({ name, method, path }) => {
      // A body of JSON is a link, not a file.
      const reached = name === "attachment.upload" ? "attachment.link" : name;
      // Some calls end the session.
      const token = async () => (await makeUser(app())).token;
      const rest = await send(app(), method, `/api/v1${unknown(path)}`, await token());
      expect(rest.operation).toBe(reached);
      for (const slash of ["", "/"]) {
        const kanPath = `/kan/api/v1${unknown(path)}${slash}`;
        const kan = await send(app(), method, kanPath, await token());
        expect([kan.operation, kan.status]).toEqual([rest.operation, rest.status]);
        if (rest.status >= 400) expect(kan.body).toEqual({ ...object(rest.body), data: kanData });
      }
    },
  );

  test("PATCH, HEAD, the document and errors are too", async () => {
    const { kan, params } = sample;
    const path = `/cards/${params.cardPublicId}`;
    const patched = await kan("PATCH", path, { body: { description: "Patched" } });
    expect(patched).toMatchObject({ status: 200, body: { description: "Patched" } });
    expect((await kan("HEAD", "/workspaces")).status).toBe(200);
    expect((await kan("GET", "/openapi.json")).body.openapi).toBe("3.1.0");
    expectKanFailure(await kan("GET", "/nothing"), "NOT_FOUND");
    expectKanFailure(await kan("DELETE", "/workspaces"), "METHOD_NOT_SUPPORTED");
    expect((await kan("GET", "/workspaces/check-slug-availability?slug=free-slug")).body).toEqual({
      isAvailable: true,
      isReserved: false,
    });
  });
});

describe("KAN_API=false", () => {
  test.each([...translations, ...routes.slice(0, 5)])("is 404: $method $path", async (route) => {
    const reply = await clientOf(withoutKan())(route.method, unknown(route.path), given(route));
    expectFailure(reply, "NOT_FOUND");
  });
});

const translated = translations.filter(({ translate }) => translate !== undefined);
const ofOthers = translated.filter(({ path }) => path.includes("{"));

describe("a translation", () => {
  test.each(translated)("needs a credential: $method $path", async ({ method, path }) => {
    const { params } = sample;
    const reply = await clientOf(app())(method, fill(path, params), given({ method }));
    // A board by its slug may be public.
    if (path.endsWith("{boardSlug}")) expectKanFailure(reply, "NOT_FOUND");
    else expectKanFailure(reply, "UNAUTHORIZED");
  });

  test.each(ofOthers)("shows strangers nothing: $method $path", async ({ method, path }) => {
    const stranger = clientOf(app(), (await makeUser(app(), "Stranger")).token);
    const { bodies } = await bodiesOf(app(), sample);
    const body = bodies[`${method} ${path}`] ?? {};
    const query = queryOf(path);
    const options = method === "GET" ? {} : { body };
    const reply = await stranger(method, fill(path, sample.params) + query, options);
    // The confirmation of an upload names the file alone, and here one that does not exist.
    const status = /\{boardSlug\}$|\/confirm$/.test(path) ? 404 : 403;
    expect([reply.status, Object.keys(reply.body).toSorted()]).toEqual([
      status,
      ["code", "data", "issues", "message"],
    ]);
    expect(JSON.stringify(reply.body)).not.toMatch(/engine|oil/i);
    const gone = await stranger(method, unknown(path) + query, options);
    expect(gone.status).toBe(404);
  });

  test("of a write is refused to keys that only read", async () => {
    const { body: key } = await sample.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "Reader",
      permissions: ["workspace:view", "board:view", "list:view", "card:view", "member:view"],
    });
    const { bodies } = await bodiesOf(app(), sample);
    const reader = clientOf(app(), key.key);
    for (const { method, path } of translated.filter((one) => one.method !== "GET")) {
      if (path.endsWith("/confirm")) continue;
      const body = bodies[`${method} ${path}`] ?? {};
      const reply = await reader(method, fill(path, sample.params), { body });
      expect([path, reply.status]).toEqual([path, 403]);
    }
    const board = await reader("GET", `/boards/${sample.params.boardPublicId}`);
    expect(board).toMatchObject({ status: 200, body: { name: "Engines" } });
  });

  test("answers invalid input as the REST API does", async () => {
    const { kan, params } = sample;
    const bad = await kan("POST", "/cards", { body: { listPublicId: params.listPublicId } });
    expectKanFailure(bad, "BAD_REQUEST", [{ path: ["title"] }]);
    const odd = await kan("POST", "/cards", { body: [] });
    expectKanFailure(odd, "BAD_REQUEST", [{ code: "invalid_json" }]);
    const search = await kan("GET", `/workspaces/${params.workspacePublicId}/search?limit=0`);
    expectKanFailure(search, "BAD_REQUEST");
  });

  test("repeats a write with its Idempotency-Key", async () => {
    const { kan, params } = sample;
    const body = { title: "Once", listPublicId: params.listPublicId };
    const headers = { "Idempotency-Key": "once-and-once-only" };
    const first = await kan("POST", "/cards", { body, headers });
    const again = await kan("POST", "/cards", { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

test.each(translations.filter(({ translate }) => translate === undefined))(
  "is a clear 501: $method $path",
  async ({ method, path }) => {
    const { kan, params } = sample;
    expect(await kan(method, fill(path, params), given({ method }))).toMatchObject({
      status: 501,
      body: {
        code: "NOT_IMPLEMENTED",
        message: "Not implemented",
        issues: [{ code: "not_implemented", message: expect.stringContaining("docs/kan.md") }],
      },
    });
  },
);

describe("the calls of a translation count for the caller", () => {
  const limited = useApp({ env: { RATE_LIMIT: "20" } });

  test("and are refused over the limit, with 429", async () => {
    const user = await makeUser(limited(), "Limited");
    const kan = clientOf(limited(), user.token);
    const { body: workspace } = await kan("POST", "/workspaces", { body: { name: "Limits" } });
    const statuses: number[] = [];
    for (let nth = 0; nth < 10; nth++)
      statuses.push((await kan("GET", `/workspaces/${workspace.publicId}`)).status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const refused = await kan("GET", `/workspaces/${workspace.publicId}`);
    expectKanFailure(refused, "TOO_MANY_REQUESTS");
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

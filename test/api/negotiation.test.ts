import { describe, expect, test } from "vitest";
import { answeredTypes } from "../../src/kernel/request/rest.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { useApp } from "../support/app.ts";
import { makeWorkspace } from "../support/make.ts";
import { accepts } from "../../src/api/rest/accept.ts";
import { preferredEncoding } from "../../src/api/rest/encoding.ts";

describe("the Accept header", () => {
  test.each([
    undefined,
    "",
    ", ,",
    "*/*",
    "application/json",
    "APPLICATION/JSON",
    "application/*",
    "application/json;version=1",
    "application/problem+json",
    "text/html, */*;q=0.8",
    'text/html;title="a, b", application/json',
    "*/*;q=0, application/json;q=0.1",
    "application/json, application/json;q=0",
  ])("%s admits JSON", (header) => expect(accepts("application/json", header)).toBe(true));

  test.each([
    "image/png",
    "text/*",
    "*/*;q=0",
    "application/json;q=0",
    "application/json ; Q=0.000",
    "application/json; charset=utf-8; q=0",
    "application/json;q=0, */*",
    "*/*, application/*;q=0",
    'text/html;title="*/*"',
    "garbage",
  ])("%s excludes JSON", (header) => expect(accepts("application/json", header)).toBe(false));
});

describe("the Accept-Encoding header", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate, zstd", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, br", "br"],
    ["*", "br"],
    ["br;q=0.1, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, br;q=0.000", undefined],
    ["gzip ; Q=0", undefined],
    ["*;q=0", undefined],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity;q=0, gzip;q=0.1", "gzip"],
    ["gzip;q=none", undefined],
  ])("%s prefers %s", (header, encoding) =>
    expect(preferredEncoding(header, ["br", "gzip"])).toBe(encoding),
  );
});

describe("a type that an operation does not have", () => {
  const app = useApp();
  const routes = [...routesOf(appRouter)];
  const send = async (method: string, path: string, accept: string, token = "none") => {
    const headers = { Accept: accept, Authorization: `Bearer ${token}` };
    return app().fetch(new Request(`http://service/api/v1${path}`, { method, headers }));
  };

  test.each(routes.map((route) => [route.operation, route] as const))(
    "is 406: %s",
    async (_, { method, path, options }) => {
      const { status } = await send(method, path.replace(/\{\w+\}/g, "p5d2h8s4t6b1"), "image/png");
      // A page can redirect, and a stored file has its own type.
      const isOfAnyType = options.page !== undefined || options.response === "bytes";
      expect([path, status === 406]).toEqual([path, !isOfAnyType]);
      expect(answeredTypes(options).length > 0).toBe(!isOfAnyType);
    },
  );

  test.each(routes.map((route) => [route.operation, route] as const))(
    "is no fault of a client that accepts the JSON of errors only: %s",
    async (_, { method, path }) => {
      const url = path.replace(/\{\w+\}/g, "p5d2h8s4t6b1");
      const { status } = await send(method, url, "application/json");
      expect([path, status]).not.toEqual([path, 406]);
    },
  );

  test("is 406 where the input decides the type, and for the document", async () => {
    const { admin, publicId } = await makeWorkspace(app());
    const path = `/workspaces/${publicId}/export`;
    for (const [query, accept, type] of [
      ["", "application/json", "application/json"],
      ["", "application/x-tar", undefined],
      ["?files=true", "application/x-tar", "application/x-tar"],
      ["?files=true", "application/json", "application/x-tar"],
      ["?files=true", "text/csv", undefined],
    ] as const) {
      const response = await send("GET", path + query, accept, admin.token);
      const expected = type === undefined ? [406, "application/json"] : [200, type];
      expect([response.status, response.headers.get("content-type")]).toEqual(expected);
      await response.body?.cancel();
    }
    expect((await send("GET", "/openapi.json", "application/yaml")).status).toBe(406);
    expect((await send("GET", "/openapi.yaml", "application/yaml")).status).toBe(200);
  });
});

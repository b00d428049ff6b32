import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ruleOf, viewsOf, type Rule } from "../../src/contract/policy.ts";
import { createDocument } from "../../src/api/openapi/document.ts";
import { withoutWebhooks } from "../../src/api/openapi/served-document.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { checkResponse, theDocument } from "../support/responses.ts";
import { startApp, useApp } from "../support/app.ts";
import { interfaceTable } from "./interface-table.ts";

type Any = any;
const document: Any = theDocument();
const committed = new URL("openapi.json", import.meta.url);

const resolved = (schema: Any): Any =>
  schema?.$ref === undefined
    ? schema
    : resolved(
        schema.$ref
          .split("/")
          .slice(1)
          .reduce((inside: Any, step: string) => inside[step], document),
      );
const operations: [name: string, operation: Any, method: string, path: string][] = Object.entries(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods as object).map(([method, operation]): (typeof operations)[number] => [
    operation.operationId,
    operation,
    method.toUpperCase(),
    path,
  ]),
);
const operationOf = (name: string) => operations.find(([one]) => one === name)?.[1];

describe("the document", () => {
  test("equals the committed file; npm run document renews it", async () => {
    expect(JSON.parse(await readFile(committed, "utf8"))).toEqual(document);
  });

  test("names every body and every enum, and no schema like a type of a language", () => {
    const names = Object.keys(document.components.schemas);
    const reserved = /^(?:Error|List|Import|Success|Object|String|Map|Set|Date)$|^New/;
    expect(names.filter((name) => reserved.test(name))).toEqual([]);
    for (const [, { requestBody }] of operations) {
      const schema = requestBody?.content["application/json"]?.schema;
      if (schema !== undefined) expect(schema).toEqual({ $ref: expect.stringMatching(/Input$/) });
    }
    const inline: string[] = [];
    const visit = (value: Any, at: string): void => {
      if (typeof value !== "object" || value === null) return;
      const isNamed = /^\/components\/schemas\/\w+$/.test(at);
      if (Array.isArray(value.enum) && value.enum.length > 1 && !isNamed) inline.push(at);
      for (const [key, one] of Object.entries(value)) visit(one, `${at}/${key}`);
    };
    visit(document, "");
    expect(inline).toEqual([]);
  });

  test("has no schema with a field of its own name and another schema: Python's clients", () => {
    const faults = Object.entries<Any>(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries<Any>(schema.properties ?? {})
        .filter(([field, one]) => field.toLowerCase() === name.toLowerCase() && "$ref" in one)
        .map(([field]) => `${name}.${field}`),
    );
    expect(faults).toEqual([]);
  });

  test.each([
    ["with", document],
    ["without", withoutWebhooks(document)],
  ])("uses all its schemas, %s incoming webhooks", (_, made: Any) => {
    const used = new Set(JSON.stringify(made).match(/(?<=#\/components\/schemas\/)\w+/g));
    const { schemas } = made.components;
    expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  test("has no pattern that looks ahead or behind, and no default that is an object", () => {
    const faults: string[] = [];
    const visit = (value: Any, at: string): void => {
      if (typeof value !== "object" || value === null) return;
      if (typeof value.pattern === "string" && /\(\?[=!<]/.test(value.pattern)) faults.push(at);
      const isSchema = typeof value.type === "string" || "anyOf" in value;
      const isObject = typeof value.default === "object" && !Array.isArray(value.default);
      if (isSchema && isObject) faults.push(at);
      for (const [key, one] of Object.entries(value)) visit(one, `${at}/${key}`);
    };
    visit(document, "");
    expect(faults).toEqual([]);
  });

  test("has the title, version, license and server URL", () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: "1.0.0", description: expect.any(String), license: { identifier: "MIT" } },
      servers: [{ url: "http://127.0.0.1:3000/api/v1" }],
    });
  });

  test("has the tags in their order, each with a description", () => {
    expect(document.tags.map(({ name }: Any) => name)).toEqual([
      "Auth",
      "OAuth",
      "Users",
      "Workspaces",
      "Boards",
      "Lists",
      "Cards",
      "Labels",
      "Fields",
      "Views",
      "Attachments",
      "Permissions",
      "Invites",
      "Webhooks",
      "Imports",
      "Integrations",
      "Health",
      "Operator",
      "Incoming webhooks",
    ]);
    for (const tag of document.tags) expect(tag.description).toMatch(/^[A-Z].+\.$/);
  });

  test("describes every schema, field and parameter", () => {
    const bare: string[] = [];
    const isBare = (one: Any) => one.description === undefined && one.$ref === undefined;
    const visit = (schema: Any, at: string): void => {
      for (const [field, one] of Object.entries<Any>(schema.properties ?? {})) {
        if (isBare(one)) bare.push(`${at}.${field}`);
        visit(one, `${at}.${field}`);
      }
      for (const one of [schema.items ?? [], schema.anyOf ?? []].flat()) visit(one, at);
    };
    for (const [name, schema] of Object.entries<Any>(document.components.schemas)) {
      if (schema.description === undefined) bare.push(name);
      visit(schema, name);
    }
    for (const [name, { parameters, responses }] of operations) {
      for (const one of parameters.map(resolved)) if (isBare(one)) bare.push(`${name} ${one.name}`);
      const content = responses[200].content["application/json"];
      if (content !== undefined) visit(content.schema, name);
    }
    expect(bare).toEqual([]);
  });

  test("says of every list in a query how to send several values", () => {
    const lists = operations.flatMap(([name, { parameters = [] }]) =>
      parameters
        .map(resolved)
        .filter((one: Any) => one.in === "query" && one.schema.type === "array")
        .map((one: Any) => [`${name} ${one.name}`, one.description]),
    );
    expect(lists.length).toBeGreaterThan(8);
    const says = /[.] Repeat the parameter, or separate values by commas[.]$/;
    expect(lists.filter(([, description]) => !says.test(description))).toEqual([]);
  });

  test("names no input a time in UTC: inputs have any offset", () => {
    const inUtc = (schema: Any): string[] =>
      schema === null || typeof schema !== "object" || "$ref" in schema
        ? []
        : Object.entries(schema).flatMap(([key, value]) =>
            key === "description" && /in UTC/.test(String(value)) ? [String(value)] : inUtc(value),
          );
    const schemas = Object.entries(document.components.schemas);
    const inputs = schemas.filter(([name]) => /Input$|^Batch(?!Result)/.test(name));
    expect(inputs.length).toBeGreaterThan(50);
    expect(inputs.flatMap(([, schema]) => inUtc(schema))).toEqual([]);
    expect(operations.flatMap(([, { parameters }]) => inUtc(parameters))).toEqual([]);
  });

  test("describes every field in sentences", () => {
    const texts = new Set<string>();
    const visit = (value: Any): void => {
      if (typeof value !== "object" || value === null) return;
      if (typeof value.description === "string") texts.add(value.description);
      for (const [key, one] of Object.entries(value)) if (!/^examples?$/.test(key)) visit(one);
    };
    visit(document.components.schemas);
    expect(texts.size).toBeGreaterThan(500);
    for (const text of texts) expect(text).toMatch(/^[`A-Z].*[.]$/s);
  });

  test("describes exactly the served operations", () => {
    const served = routesOf(appRouter).map(
      ({ name, method, path }) => `${name}: ${method} ${path}`,
    );
    const described = operations.map(([name, , method, path]) => `${name}: ${method} ${path}`);
    expect(described.toSorted()).toEqual(served.toSorted());
    expect(described).toHaveLength(Object.keys(appRouter._def.procedures).length);
  });
});

describe.each(operations)("%s in the document", (name, operation, method, path) => {
  const route = routesOf(appRouter).find((one) => one.name === name);
  const rule: Rule = ruleOf(route?.operation ?? "health.check");

  test("has a tag, a summary and a description", () => {
    expect(document.tags.map((tag: Any) => tag.name)).toContain(operation.tags[0]);
    expect(operation.tags).toHaveLength(1);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description).toMatch(/^.+\.$/s);
    expect(operation.summary).not.toMatch(/^Read |\b[Mm]y\b|(?:\S+ ){6}/);
    const sentences = operation.description.split(/(?<=[.:;]) /);
    for (const one of sentences) expect(one.split(" ").length, one).toBeLessThanOrEqual(30);
  });

  test("has the required permission and the emitted events", () => {
    expect(operation["x-required-permission"]).toBe(
      "needs" in rule ? rule.needs : rule.on === "public" ? "public" : rule.on,
    );
    if ("needs" in rule && rule.needs !== "member")
      expect(operation.description).toContain(`. Requires \`${rule.needs}\``);
    expect(operation["x-or-creator"] ?? false).toBe("needs" in rule && rule.orCreator === true);
    expect(operation["x-view-permissions"] ?? []).toEqual(viewsOf(rule));
    expect(operation["x-emits"]).toEqual(rule.emits ?? []);
    const schemes = rule.on === "operator" ? ["adminKey", "bearer"] : ["bearer"];
    expect(operation.security).toEqual(
      rule.on === "public"
        ? []
        : [
            schemes.map((scheme) => ({ [scheme]: [] })),
            route?.options.events ? { ticket: [] } : [],
          ].flat(),
    );
  });

  test("has all path ids in order, of 12 to 64 characters, or slugs", () => {
    const inPath = operation.parameters.filter((one: Any) => one.in === "path");
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id);
    expect(inPath.map((one: Any) => one.name)).toEqual(ids);
    for (const { name: field, required, schema } of inPath) {
      expect(required).toBe(true);
      if (!field.endsWith("PublicId")) continue;
      const hasSlugs = field === "workspacePublicId" && !(name in interfaceTable);
      const minLength = hasSlugs ? 3 : 12;
      expect(schema).toEqual({ type: "string", minLength, maxLength: 64 });
    }
  });

  test("has the headers of its kind", () => {
    const headers = operation.parameters.map(resolved).filter((one: Any) => one.in === "header");
    const expected =
      name === "integration.callback" ||
      name === "signIn.callback" ||
      (method === "POST" && route?.definition.type === "query") ||
      (route?.options.response === "stream" && !route.options.snapshot)
        ? []
        : route?.options.events
          ? ["Last-Event-ID"]
          : method === "GET"
            ? ["If-None-Match", route?.options.response === "bytes" ? "Range" : []].flat()
            : [
                ("needs" in rule && !route?.options.batch) || route?.options.versioned
                  ? "If-Match"
                  : [],
                "Idempotency-Key",
              ].flat();
    expect(headers.map((one: Any) => one.name)).toEqual(expected);
    // The target has the version: of a create, that is the parent.
    const kind = rule.on === "self" ? "user" : rule.on.replace("checklistItem", "checklist item");
    for (const one of headers.filter((header: Any) => header.name === "If-Match")) {
      expect(one.description).toContain(`of the last read of the ${kind}, `);
    }
  });

  test("has no two arguments with one name in code", () => {
    const body = resolved(operation.requestBody?.content["application/json"]?.schema);
    const given = operation.parameters
      .map(resolved)
      .map((one: Any): string => one["x-fern-parameter-name"] ?? one.name);
    const names = [...given, ...Object.keys(body?.properties ?? {})].map((one) =>
      one.toLowerCase().replace(/[^a-z0-9]/g, ""),
    );
    expect(names).toEqual([...new Set(names)]);
  });

  test("requires a body only for required fields, and rejects unknown fields", () => {
    const schema = resolved(operation.requestBody?.content["application/json"]?.schema);
    const inQuery = method === "GET" || (method === "DELETE" && !route?.options.inBody);
    expect(inQuery ? operation.requestBody : undefined).toBe(undefined);
    if (schema === undefined) return;
    const { required = [], minProperties = 0 } = schema;
    expect(operation.requestBody.required).toBe(required.length > 0 || minProperties > 0);
    expect(schema.additionalProperties).toBe(false);
  });

  test("has the error schema for every error", () => {
    const failures = Object.entries(operation.responses).filter(
      ([status]) => !/^[23]/.test(status),
    );
    expect(failures.length).toBeGreaterThan(0);
    for (const [, response] of failures) {
      expect(resolved(response).content["application/json"].schema).toEqual({
        $ref: "#/components/schemas/ErrorResponse",
      });
    }
  });

  test("responds with X-Request-Id, and a schema that is open for new fields", () => {
    const ok = operation.responses[200];
    expect(Object.keys(ok.headers)).toEqual(
      expect.arrayContaining(["X-Request-Id", "RateLimit", "RateLimit-Policy"]),
    );
    for (const { schema } of Object.values<Any>(ok.content)) expectOpen(schema);
  });

  test("declares 304 where it takes If-None-Match, and 412 where it takes If-Match", () => {
    const taken = new Set(operation.parameters.map((one: Any) => resolved(one).name));
    expect("304" in operation.responses).toBe(taken.has("If-None-Match"));
    if (name in interfaceTable) return;
    // The operations of a batch have versions of their own.
    const hasVersion = taken.has("If-Match") || route?.options.batch === true;
    expect("412" in operation.responses).toBe(hasVersion);
  });

  test("names the exact content types of its answer and its body", () => {
    const contents = [...Object.values<Any>(operation.responses), operation.requestBody ?? {}];
    for (const content of contents) {
      for (const type of Object.keys(resolved(content).content ?? {})) {
        expect(type).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
        const { format } = resolved(content).content[type].schema;
        // Generated clients decode text: only files of users have bytes of any kind.
        if (type.startsWith("text/") && !("206" in operation.responses)) {
          expect(format).not.toBe("binary");
        }
      }
    }
  });

  test("declares the statuses of its kind", () => {
    if (name in interfaceTable) return expect(operation.responses).toHaveProperty("default");
    const { responses, requestBody } = operation;
    const always = ["200", "400", "429", "500", "503"];
    const isRead = method === "GET" || route?.definition.type === "query";
    const body = method === "GET" ? [] : ["413", "415"];
    const write = isRead ? body : [...body, "409", "422"];
    const credential = rule.on === "public" ? [] : ["401"];
    const target = "needs" in rule ? ["403", "404", ...(isRead ? [] : ["412"])] : [];
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining([...always, ...write, ...credential, ...target]),
    );
    expect(responses).not.toHaveProperty("default");
    expect(requestBody === undefined || "413" in responses).toBe(true);
  });
});

/** No object of an answer excludes new fields. */
function expectOpen(schema: Any, seen = new Set<Any>()): void {
  const it = resolved(schema);
  if (seen.has(it)) return;
  seen.add(it);
  expect(it.additionalProperties).not.toBe(false);
  for (const inner of [it.items ?? [], it.anyOf ?? [], Object.values(it.properties ?? {})].flat()) {
    expectOpen(inner, seen);
  }
}

describe.each(Object.entries(interfaceTable))(
  "%s as the interface specifies it",
  (name, expected) => {
    const operation = operationOf(name);

    test("has its method and path", () => {
      const [, , method, path] = operations.find(([one]) => one === name) ?? [];
      expect(`${method} ${path}`).toBe(expected.route);
    });

    test("declares exactly the interface's errors, and one default for all others", () => {
      const statuses = Object.keys(operation.responses).filter(
        (status) => status !== "200" && status !== "304",
      );
      expect(statuses).toEqual([...expected.failures, "default"]);
    });

    test("returns exactly the interface's fields", () => {
      let schema = resolved(operation.responses[200].content["application/json"].schema);
      if (expected.isArray) {
        expect(schema.type).toBe("array");
        schema = resolved(schema.items);
      }
      expect(Object.keys(schema.properties).toSorted()).toEqual(expected.fields.toSorted());
    });

    test("accepts the interface's input with its bounds", () => {
      const body = resolved(operation.requestBody?.content["application/json"].schema);
      const query = operation.parameters.filter((one: Any) => one.in === "query");
      expect(Object.fromEntries(query.map((one: Any) => [one.name, one.schema]))).toMatchObject(
        expected.query ?? {},
      );
      if (expected.body === undefined) return expect(body).toBe(undefined);
      expect(body).toMatchObject({ type: "object", ...expected.body });
      expect(body.required ?? []).toEqual(expected.body.required ?? []);
    });
  },
);

describe("the served document", () => {
  const app = useApp({ isolated: true });
  const get = (name: string, headers: Record<string, string> = {}) =>
    app().fetch(new Request(`http://service/api/v1/${name}`, { headers }));

  test("contains the incoming webhooks on request only", async () => {
    const whole: Any = await (await get("openapi.json?webhooks=true")).json();
    const without: Any = await (await get("openapi.json")).json();
    expect(Object.keys(whole.webhooks).length).toBeGreaterThan(60);
    expect(without).not.toHaveProperty("webhooks");
    expect(without.paths).toEqual(whole.paths);
    expect(Object.keys(without.components.schemas)).not.toContain("WebhookTestEvent");
    expect((await get("openapi.json?webhooks=maybe")).status).toBe(400);
  });

  test("is the same in JSON and in YAML", async () => {
    const [json, yaml] = await Promise.all([get("openapi.json"), get("openapi.yaml")]);
    expect(json.headers.get("content-type")).toBe("application/json");
    expect(yaml.headers.get("content-type")).toBe("application/yaml");
    const served: Any = await json.json();
    expect(parse(await yaml.text())).toEqual(served);
    expect(served.paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
  });

  test.each(["openapi.json", "openapi.yaml"])(
    "%s is 304 for a client that has it",
    async (name) => {
      const etag = (await get(name)).headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const response = await get(name, { "If-None-Match": known });
        expect([response.status, response.headers.get("etag")]).toEqual([304, etag]);
        expect(await response.text()).toBe("");
      }
      expect((await get(name, { "If-None-Match": '"other"' })).status).toBe(200);
    },
  );

  test("contains BASE_URL", async () => {
    const elsewhere = await startApp({ env: { BASE_URL: "https://boards.example.com/kanban/" } });
    const response = await elsewhere.fetch(new Request("http://service/api/v1/openapi.json"));
    const { servers }: Any = await response.json();
    expect(servers).toEqual([{ url: "https://boards.example.com/kanban/api/v1" }]);
    await elsewhere.close();
  });
});

test("creating the document does not change validation", async () => {
  const all = () => routesOf(appRouter).map(({ name, schema }) => [name, fingerprint(schema)]);
  const before = all();
  createDocument(appRouter, "http://127.0.0.1:3000");
  expect(all()).toEqual(before);
  const { schema } = routesOf(appRouter).find(({ name }) => name === "list.create") ?? {};
  const list = { name: "To do", boardPublicId: "p5d2h8s4t6b1" };
  expect(schema?.safeParse({ ...list, index: "1" }).success).toBe(false);
  expect(schema?.safeParse({ ...list, other: 1 }).success).toBe(false);
  expect(schema?.safeParse({ ...list, index: 1 }).success).toBe(true);
});

/** The checks of a schema, as text. */
function fingerprint(schema: Any): string {
  const seen = new Set();
  return JSON.stringify(schema.def, (_, value) => {
    if (typeof value === "function") return String(value);
    if (value instanceof RegExp) return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return "seen";
    seen.add(value);
    return value._zod === undefined ? value : { ...value.def };
  });
}

describe("checking responses against the document", () => {
  const check = (method: string, path: string, status: number, body: unknown) =>
    checkResponse(method, `http://service/api/v1${path}`, Response.json(body, { status }));
  const health = {
    status: "ok",
    version: "1",
    database: "ok",
    storage: "ok",
    queueLagSeconds: 0,
  };
  const failure = { code: "NOT_FOUND", message: "Not found", issues: [] };

  test("accepts declared responses", async () => {
    const responses = [
      check("GET", "/health", 200, health),
      check("GET", "/lists/p5d2h8s4t6b1", 404, failure),
      check("GET", "/nowhere", 404, failure),
      check("POST", "/lists", 409, { ...failure, code: "CONFLICT" }),
    ];
    await expect(Promise.all(responses)).resolves.toHaveLength(4);
  });

  test("rejects a response with an unknown, missing or wrong field", async () => {
    await expect(check("GET", "/health", 200, { ...health, more: 1 })).rejects.toThrow("more");
    await expect(check("GET", "/health", 200, { status: "ok" })).rejects.toThrow("version");
    await expect(check("GET", "/health", 200, { ...health, version: 1 })).rejects.toThrow("string");
    await expect(check("GET", "/nowhere", 404, { code: "NO" })).rejects.toThrow("message");
    await expect(check("POST", "/lists", 409, {})).rejects.toThrow("code");
  });

  test("rejects an undeclared status or media type", async () => {
    await expect(check("GET", "/health", 404, failure)).rejects.toThrow(
      "the status is not declared",
    );
    const text = new Response("fine", { headers: { "Content-Type": "text/plain" } });
    await expect(checkResponse("GET", "/api/v1/health", text)).rejects.toThrow("text/plain");
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Route } from "../../src/api/rest/routes.ts";
import { declaredFailures } from "../../src/contract/interface.ts";
import { isStream } from "../support/responses.ts";
import { useApp } from "../support/app.ts";
import { loopback } from "../support/dns.ts";
import { makeUser, makeWorkspace } from "../support/make.ts";
import { startS3 } from "../support/s3.ts";
import { faultOfError, undeclaredHeaders } from "./document-responses.ts";
import { adminKey, inputWith, requestOf } from "./example-request.ts";
import { createExampleResources, type ExampleResources } from "./example-resources.ts";
import { bodyOf, isConsuming, reaching, routes } from "./examples.ts";

// Each operation gets each kind of wrong request. The document declares what it answers, and the
// operation answers what the document declares.

type Any = any;
type Input = Record<string, unknown>;
type Sent = { token: string; input: Input; headers: Record<string, string>; text?: string };

/** Makes a request wrong; undefined where that does not apply. */
type Fault = (sent: Sent, operation: Any, route: Route) => Sent | undefined;

const s3 = await startS3();
afterAll(() => s3.stop());
const app = useApp({
  env: { STORAGE_URL: s3.storageUrl, ADMIN_KEY: adminKey, TRELLO_API_URL: "http://127.0.0.1:1" },
  outgoing: loopback("hooks.example.com"),
});

const tokens = { stranger: "", elsewhere: "", reading: "" };
let resources: ExampleResources | undefined;
beforeAll(async () => {
  tokens.stranger = (await makeUser(app())).token;
});

/** The resources, with an API key of another workspace and one that only reads. */
async function fresh(): Promise<ExampleResources> {
  const made = await createExampleResources(app());
  const { rest } = made.user;
  const { publicId: workspacePublicId } = await makeWorkspace(app(), made.user);
  const keyWith = async (limits: object) => {
    const body = { password: made.secrets["currentPassword"], name: "Key", ...limits };
    return (await rest.post("/auth/api-keys", body)).body.key;
  };
  tokens.elsewhere = await keyWith({ workspacePublicId });
  tokens.reading = await keyWith({ readOnly: true });
  return made;
}

const withToken =
  (name: keyof typeof tokens): Fault =>
  (sent) => ({ ...sent, token: tokens[name] });
const withHeader =
  (name: string, value: string): Fault =>
  (sent) => ({ ...sent, headers: { ...sent.headers, [name]: value } });
const withIds =
  (id: string): Fault =>
  (sent) => {
    const fields = Object.entries(sent.input).map(([field, value]) => {
      const isId = field.endsWith("PublicId");
      return [field, isId && typeof value === "string" ? id : value];
    });
    return { ...sent, input: Object.fromEntries(fields) };
  };
/** A body of another kind than the operation takes. */
const withText =
  (text: string, name: string, value: string): Fault =>
  (sent, _, { method }) =>
    method === "GET" ? undefined : { ...sent, headers: { ...sent.headers, [name]: value }, text };

const faults: Record<string, Fault> = {
  "no credential": (sent) => ({ ...sent, token: "" }),
  "a wrong credential": (sent) => ({ ...sent, token: "wrong" }),
  "a stranger": withToken("stranger"),
  "a key of another workspace": withToken("elsewhere"),
  "a key that only reads": withToken("reading"),
  "unknown ids": withIds("zzzzzzzzzzzz"),
  "short ids": withIds("x"),
  "wrong secrets": (sent) => {
    const fields = Object.entries(sent.input).map(([field, value]) => {
      const isSecret = value === resources?.secrets[field] && typeof value === "string";
      return [field, isSecret ? value.split("").toReversed().join("") : value];
    });
    return { ...sent, input: Object.fromEntries(fields) };
  },
  "an unknown parameter": (sent) => ({ ...sent, input: { ...sent.input, unknownParameter: 1 } }),
  "a body that is not JSON": withText("{", "Content-Type", "application/json"),
  "a body in a form": withText("--x--", "Content-Type", "multipart/form-data; boundary=x"),
  "a body that is too large": withText("{}", "Content-Length", "99999999999"),
  "no acceptable type": withHeader("Accept", "image/png"),
  "the known version": (sent, operation, route) =>
    route.method === "GET" ? withHeader("If-None-Match", "*")(sent, operation, route) : undefined,
  "an old version": withHeader("If-Match", '"999999"'),
};

/** Statuses that need a setting, a signed URL, an optional parameter, tRPC, or a batch. */
const beyond: Readonly<Record<string, readonly number[]>> = {
  // Of accounts with a second factor, and where one is required.
  "auth.login": [403],
  "user.cards": [403],
  "attachment.file": [304],
  "auth.register": [403],
  // For an app that is unknown, which comes after a grantType that is wrong.
  "oauth.token": [401],
  "oauth.startDevice": [401],
  "user.stream": [404],
  "workspace.batch": [412],
  "workspace.import": [415],
};
/** Statuses that some wrong request brings to each operation that declares them. */
const provoked = [304, 400, 401, 403, 404, 406, 412, 413, 415, 422];

test.each(routes)("%s declares what it answers and answers what it declares", async (...of) => {
  const [name, route, operation] = of;
  const seen = new Map<number, string>();
  const wrong: string[] = [];

  async function send(about: string, fault: Fault, headers: Sent["headers"] = {}) {
    resources ??= await fresh();
    const input = await inputWith(name, operation, resources);
    const sent = fault({ token: resources.user.token, input, headers }, operation, route);
    if (sent === undefined) return;
    const response = await app().fetch(requestWith(sent, route, operation));
    const { status } = response;
    if (!seen.has(status)) seen.set(status, about);
    const headerNames = undeclaredHeaders(operation, response);
    if (headerNames.length > 0) wrong.push(`${about}: ${status} with ${headerNames.join()}`);
    if (status >= 400) wrong.push(...faultOfError(status, await response.json()));
    else await (isStream(response) ? response.body?.cancel() : response.arrayBuffer());
    if (status === 200 && isConsuming(route)) resources = undefined;
  }

  for (const [about, fault] of Object.entries(faults)) await send(about, fault);
  resources ??= await fresh();
  const key = { "Idempotency-Key": crypto.randomUUID() };
  await resources.user.rest.post("/users/me/notifications/read", {}, { headers: key });
  if (route.method !== "GET") await send("a key of another call", (sent) => sent, key);

  const declared = new Set(Object.keys(operation.responses).map(Number));
  const isFixed = name in declaredFailures || reaching.test(name);
  // Without an `ADMIN_KEY` operators' operations are 403.
  const isOperators = operation["x-required-permission"] === "operator";
  const ignored = isOperators ? [403] : (beyond[name] ?? []);
  const missing = provoked.filter(
    (status) => declared.has(status) && !seen.has(status) && !ignored.includes(status),
  );
  const undeclared = [...seen].filter(([status]) => !declared.has(status));
  expect({ wrong, missing: isFixed ? [] : missing }).toEqual({ wrong: [], missing: [] });
  expect(name in declaredFailures ? [] : undeclared).toEqual([]);
});

/** The request of a wrong input. */
function requestWith({ token, input, headers, text }: Sent, route: Route, operation: Any): Request {
  const inQuery = operation.parameters.filter((one: Any) => one.in === "query");
  const names = [...inQuery.map((one: Any) => one.name), "unknownParameter"];
  const query = new URLSearchParams();
  for (const one of names) if (one in input) query.set(one, String(input[one]));
  const body = Object.fromEntries(
    Object.keys(bodyOf(operation)).map((field) => [field, input[field]]),
  );
  const made = requestOf(route, operation, token, { ids: input, query, body });
  if (token === "") made.headers.delete("Authorization");
  if (token === "" || token === "wrong") made.headers.delete("X-Admin-Key");
  for (const [name, value] of Object.entries(headers)) made.headers.set(name, value);
  const { method, headers: all, url } = made;
  return text === undefined ? made : new Request(url, { method, headers: all, body: text });
}

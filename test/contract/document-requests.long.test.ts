import { afterAll, describe, expect, test } from "vitest";
import { exampleIds } from "../../src/kernel/schemas/values.ts";
import { isStream } from "../support/answers.ts";
import { useApp } from "../support/app.ts";
import { as } from "../support/as.ts";
import { fakeDns } from "../support/dns.ts";
import { startS3 } from "../support/s3.ts";
import { sentAttachment } from "../kernel/access/targets.ts";
import { createExampleResources, type ExampleResources } from "./example-resources.ts";
import { bodyOf, exampleOf, inputOf, routes } from "./examples.ts";
import { minimalDocument } from "../transfer/exports/minimal.ts";

type Any = any;
const s3 = await startS3();
afterAll(() => s3.stop());
const app = useApp({
  env: { STORAGE_URL: s3.storageUrl, ADMIN_KEY: "the key of the operator" },
  outgoing: {
    resolve: fakeDns({ "hooks.example.com": ["127.0.0.1"] }).resolve,
    policy: { allowHttp: true, allowedSubnets: ["127.0.0.0/8"] },
    now: () => new Date(),
    version: "test",
  },
});
let resources: ExampleResources;

// These operations consume the resources.
const spending = new Set([
  "auth.changePassword",
  "auth.logout",
  "auth.refresh",
  "auth.resetPassword",
  "invite.accept",
  "member.invite",
  "member.leave",
  "permission.revokeFromMember",
  "role.create",
  "role.update",
  "workspace.create",
  "workspace.update",
  "board.update",
]);
const reaching = /^(?:integration|import)\./;
// A signed URL has no example that works.
const apart = new Set(["auth.register", "attachment.file"]);
const inside = routes.filter(([name]) => !reaching.test(name) && !apart.has(name));
const substitutes = new Map(Object.entries(exampleIds).map(([kind, id]) => [id, kind]));
const substituted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(substituted)
    : typeof value === "string" && substitutes.has(value)
      ? resources.ids[substitutes.get(value) ?? ""]
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substituted(one)]))
        : value;

describe("a request made from the example", () => {
  let consumed = true;
  test("succeeds for auth.register, whose account auth.login uses", async () => {
    const { status } = await as(app()).rest.post("/auth/register", exampleOf("auth.register"));
    expect(status).toBe(200);
  });

  test.each(inside)("succeeds for %s", async (name, { method, path, more }, operation) => {
    if (consumed) resources = await createExampleResources(app());
    consumed = method === "DELETE" || spending.has(name);
    const { user, secrets } = resources;
    const input = Object.fromEntries(
      Object.entries(inputOf(operation)).map(([field, value]) => [
        field,
        secrets[field] ?? substituted(value),
      ]),
    );
    if (name === "user.delete") input["password"] = secrets["currentPassword"];
    if (name === "auth.verifyEmail") input["token"] = secrets["verification"];
    if (name === "attachment.confirm") {
      input["attachmentPublicId"] = await sentAttachment(user, resources.ids["card"] ?? "");
    }
    const body = Object.fromEntries(
      Object.keys(bodyOf(operation)).map((field) => [field, input[field]]),
    );
    const query = operation.parameters.filter(
      (one: Any) => one.in === "query" && one.name in input,
    );
    const search = new URLSearchParams(
      query.map((one: Any) => [one.name, String(input[one.name])]),
    );
    const filled = path.replace(/\{(\w+)\}/g, (_, field) => String(input[field]));
    const bytes = more.requestBody === "bytes";
    const request = new Request(`http://service/api/v1${filled}?${String(search)}`, {
      method,
      headers: {
        Authorization: `Bearer ${user.token}`,
        "X-Admin-Key": "the key of the operator",
        ...(bytes || operation.requestBody === undefined
          ? {}
          : { "Content-Type": "application/json" }),
      },
      ...(operation.requestBody === undefined
        ? {}
        : { body: bytes ? bytesFor(name) : JSON.stringify(body) }),
    });
    const answer = await app().fetch(request);
    const text = isStream(answer) ? answer.body?.cancel().then(() => "") : answer.text();
    expect([answer.status, await text]).toEqual([200, expect.any(String)]);
  });
});

/** A body of bytes for the operation. */
const bytesFor = (name: string) =>
  name === "workspace.import" ? JSON.stringify(minimalDocument()) : "the bytes of a file";

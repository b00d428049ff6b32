import { afterAll, describe, expect, test } from "vitest";
import { isStream } from "../support/responses.ts";
import { useApp } from "../support/app.ts";
import { as } from "../support/as.ts";
import { loopback } from "../support/dns.ts";
import { startS3 } from "../support/s3.ts";
import { adminKey, bytesFor, inputWith, requestOf } from "./example-request.ts";
import { createExampleResources, type ExampleResources } from "./example-resources.ts";
import { bodyOf, document, exampleOf, isConsuming, reaching, routes } from "./examples.ts";
import { requestIn, resolveIn, samplesOf, withExamples } from "./samples.ts";

type Any = any;
const s3 = await startS3();
afterAll(() => s3.stop());
const app = useApp({
  env: { STORAGE_URL: s3.storageUrl, ADMIN_KEY: adminKey },
  outgoing: loopback("hooks.example.com"),
});
let resources: ExampleResources;

// A signed URL has no example that works, and the workspace of the examples has an admin.
const apart = new Set(["auth.register", "attachment.file", "operator.addAdmin"]);
const inside = routes.filter(([name]) => !reaching.test(name) && !apart.has(name));

describe("a request made from the example", () => {
  let consumed = true;
  test("succeeds for auth.register, whose account auth.login uses", async () => {
    const { status } = await as(app()).rest.post("/auth/register", exampleOf("auth.register"));
    expect(status).toBe(200);
  });

  test.each(inside)("succeeds for %s", async (name, route, operation) => {
    if (consumed) resources = await createExampleResources(app());
    consumed = isConsuming(route);
    const input = await inputWith(name, operation, resources);
    const body = Object.fromEntries(
      Object.keys(bodyOf(operation)).map((field) => [field, input[field]]),
    );
    const inQuery = operation.parameters.filter(
      (one: Any) => one.in === "query" && one.name in input,
    );
    const query = new URLSearchParams(
      inQuery.map((one: Any) => [one.name, String(input[one.name])]),
    );
    const sent = { ids: input, query, body };
    const response = await app().fetch(requestOf(route, operation, resources.user.token, sent));
    const text = isStream(response) ? response.body?.cancel().then(() => "") : response.text();
    expect([response.status, await text]).toEqual([200, expect.any(String)]);
  });

  test.each(inside)("succeeds as the reference page shows it for %s", async (name, route, one) => {
    if (consumed) resources = await createExampleResources(app());
    consumed = isConsuming(route);
    const operation = withExamples(one, await inputWith(name, one, resources));
    const { method, path } = route;
    const root = "http://service/api/v1";
    const entry = { id: name, method, path, operation };
    const samples = samplesOf(entry, { resolve: resolveIn(document) }, root);
    const request = requestIn(samples.fetch(), resources.user.token, bytesFor(name));
    const { pathname, search } = new URL(request.url);
    for (const sample of [samples.curl(), samples.Python()]) {
      expect(sample).toContain(`http://service${pathname}${search}`);
    }
    const response = await app().fetch(request);
    const text = isStream(response) ? response.body?.cancel().then(() => "") : response.text();
    expect([response.status, await text]).toEqual([200, expect.any(String)]);
  });
});

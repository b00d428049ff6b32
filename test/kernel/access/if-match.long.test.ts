import { expect, test } from "vitest";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { takesIfMatch } from "../../../src/kernel/request/rest.ts";
import { adminKey, useWorld } from "./world.ts";
import { operations, routeOf, send, writes } from "./call.ts";
import { inputs } from "./inputs.ts";

const world = useWorld();
const stale = { "If-Match": '"999999"', "X-Admin-Key": adminKey };

/** A GET that writes is the return of a browser: its headers are not read. */
const sendsHeaders = (name: Operation) => writes(name) && routeOf(name).method !== "GET";

test.each(operations.filter(sendsHeaders))("%s compares If-Match, or refuses it", async (name) => {
  const { app, fixtures } = world();
  const { input, token = fixtures.admin.token, undo } = await inputs[name](world(), fixtures.admin);
  try {
    const events = await app.db.reader.event.count();
    const response = await send(app, "REST", name, input, token, stale);
    if (name === "workspace.create") return expect(response.status).toBe(200);
    if (takesIfMatch(name, routeOf(name).options)) {
      expect([response.status, response.text]).toEqual([412, expect.stringContaining("stale")]);
    } else {
      const refused = expect.stringContaining("if_match_refused");
      expect([response.status, response.text]).toEqual([400, refused]);
    }
    expect(await app.db.reader.event.count()).toBe(events);
  } finally {
    await undo?.();
  }
});

test("a write with a target takes If-Match, unless it is a batch", () => {
  const others = operations.filter(
    (name) => writes(name) && "needs" in ruleOf(name) && !takesIfMatch(name, routeOf(name).options),
  );
  expect(others).toEqual(["workspace.batch"]);
});

test("calls that share a request are refused, and write nothing", async () => {
  const { app, fixtures } = world();
  const input = { name: "Never", boardPublicId: fixtures.ids.board };
  const reply = await app.call({
    method: "POST",
    path: "/trpc/list.create,list.create?batch=1",
    body: { 0: input, 1: input },
    token: fixtures.admin.token,
    headers: stale,
  });
  expect(reply.status).toBe(400);
  for (const { error } of reply.body) {
    expect(error.data.issues).toMatchObject([{ code: "if_match_refused" }]);
  }
  const { body } = await fixtures.admin.rest.get(`/boards/${fixtures.ids.board}`);
  expect(JSON.stringify(body)).not.toContain("Never");
});

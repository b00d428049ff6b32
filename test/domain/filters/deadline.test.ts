import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { callWith, places } from "./places.ts";

const app = useApp({ isolated: true });
const mark = "a text that only this filter has";
const filter = { or: [{ field: "title", op: "contains" as const, value: mark }] };
let workspace: Workspace;
let ids: Parameters<typeof callWith>[2];
/** What PostgreSQL allows the statements with the filter. */
let timeouts: Promise<string>[] = [];

// Every statement goes through the driver: the setting is read right before it.
const { prototype } = pg.Client;
const original = Reflect.get(prototype, "query");
const setting = { text: "SELECT current_setting('statement_timeout') AS ms" };

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const { publicId: boardPublicId, lists } = await makeBoard(workspace);
  const card = { title: "A card", listPublicId: lists[0] };
  await rest.post("/cards", card);
  const views = `/workspaces/${workspace.publicId}/views`;
  const view = await rest.post(views, { name: "None", filter, groupBy: { field: "list" } });
  const workspacePublicId = workspace.publicId;
  ids = { boardPublicId, workspacePublicId, viewPublicId: view.body.publicId };
  Reflect.set(prototype, "query", function (this: pg.Client, ...values: any[]) {
    if (values[0]?.values?.some((value: unknown) => value === mark)) {
      const read: Promise<any> = Reflect.apply(original, this, [setting]);
      timeouts.push(read.then(({ rows }) => rows[0].ms));
    }
    return Reflect.apply(original, this, values);
  });
});
afterAll(() => Reflect.set(prototype, "query", original));

/** Operations that keep a filter, and do not use it. */
const stored = new Set(["view.create", "view.update"]);
const usual = async () => {
  const [row] = await app().db.read<{ ms: string }>(
    sql`SELECT current_setting('statement_timeout') AS ms`,
  );
  return row?.ms;
};

test.each(
  places.flatMap((place) => (stored.has(place.name) ? [] : [[place.name, place] as const])),
)("the filter of %s has as much time as any statement of a call", async (_, place) => {
  timeouts = [];
  const { status } = await callWith(workspace.admin, place, ids, filter);
  expect(status).toBe(200);
  const found = await Promise.all(timeouts);
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found)).toEqual(new Set([await usual()]));
});

test.each(["cards", "groups"])("so has that of a view that shows its %s", async (shown) => {
  timeouts = [];
  const reply = await workspace.admin.rest.get(`/views/${ids.viewPublicId}/${shown}`);
  expect(reply).toMatchObject({ status: 200 });
  const found = await Promise.all(timeouts);
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found)).toEqual(new Set([await usual()]));
});

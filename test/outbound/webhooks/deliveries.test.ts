import { expect, test } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import { useApp } from "../../support/app.ts";
import { hooked, hookOf, local } from "./hook.ts";

const app = useApp({ env: local });

test("webhook.deliveries lists sent and pending deliveries, newest first, in pages", async () => {
  const { workspace, hook, add, admin, list } = await hooked(app());
  const other = await hookOf(app(), workspace);
  hook.receiver.response(({ body }) => ({ status: body.includes("Bad") ? 500 : 200 }));
  for (const title of ["One", "Bad", "Three"]) await add(title);
  await deliverDue(app().deps);
  const { body: card } = await add("Four");
  await admin.rest.put(`/cards/${card.publicId}`, { title: "Five" });
  const statuses = async (query = "") =>
    (await list(query)).map(({ type, status }: any) => `${type} ${status}`);
  const all = [
    "card.updated pending",
    "card.created pending",
    "card.created succeeded",
    "card.created pending",
    "card.created succeeded",
  ];
  expect(await statuses()).toEqual(all);
  expect(await statuses("?status=succeeded")).toEqual([all[2], all[4]]);
  expect(await statuses("?type=card.updated")).toEqual([all[0]]);
  expect(await statuses("?status=failed&type=card.updated")).toEqual([]);

  const pages: any[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { body } = await admin.rest.get(`${hook.path}/deliveries?limit=2${query}`);
    pages.push(...body.items);
    cursor = body.nextCursor;
  } while (cursor !== null);
  expect(pages).toEqual(await list());
  const { body: foreign } = await admin.rest.get(`${other.path}/deliveries?limit=2`);
  const crossed = await admin.rest.get(`${hook.path}/deliveries?cursor=${foreign.nextCursor}`);
  expect(crossed.status).toBe(400);
  for (const query of ["status=open", "type=card.*", "type=no.such", "limit=0", "cursor=x"]) {
    expect((await admin.rest.get(`${hook.path}/deliveries?${query}`)).status).toBe(400);
  }
  const ids = { workspacePublicId: workspace.publicId, webhookPublicId: hook.publicId };
  const { items } = await workspace.admin.trpc.webhook.deliveries.query({ ...ids, limit: 100 });
  expect(items).toEqual(pages);
});

test("webhook.delivery shows every attempt, with the first 4 kB of each response", async () => {
  const { hook, add, list, read } = await hooked(app());
  const long = "ä".repeat(3_000);
  hook.receiver.response((_, count) =>
    count === 0
      ? { status: 500, body: long }
      : count === 1
        ? { how: "reset" }
        : { body: "a\u0000b" },
  );
  await add();
  for (let attempt = 0; attempt < 3; attempt++) {
    await deliverDue(app().deps);
    app().advance(600_000);
  }
  const [{ publicId, ...delivery }] = await list();
  const { attempts, ...shown } = await read(publicId);
  expect(shown).toEqual({ publicId, ...delivery });
  expect(attempts).toMatchObject([
    {
      number: 1,
      statusCode: 500,
      error: "The receiver responded with 500.",
      response: "ä".repeat(2_048),
    },
    {
      number: 2,
      statusCode: null,
      error: expect.stringMatching(/^The receiver closed the connection/),
      response: "",
    },
    { number: 3, statusCode: 200, error: null, response: "a\uFFFDb" },
  ]);
  expect(JSON.stringify(await read(publicId))).not.toContain("whsec_");
});

test("a workspace stores a limited number of bytes of responses", async () => {
  const { workspace, hook, add, list, read } = await hooked(app());
  hook.receiver.response(() => ({ body: "stored" }));
  const responseAfter = async () => {
    await add();
    await deliverDue(app().deps);
    const [{ publicId }] = await list();
    const { attempts } = await read(publicId);
    return attempts.map(({ statusCode, response }: any) => [statusCode, response]);
  };
  expect(await responseAfter()).toEqual([[200, "stored"]]);
  const { publicId } = workspace;
  const { id } = await app().db.reader.workspace.findUniqueOrThrow({ where: { publicId } });
  await app().deps.limits.responses.spend(String(id), 256 * 1024 * 1024 - 7);
  expect(await responseAfter()).toEqual([[200, ""]]);
});

test("a delivery is found only through its own webhook", async () => {
  const { workspace, admin, hook, add, list } = await hooked(app());
  const other = await hookOf(app(), workspace);
  await add();
  const [{ publicId }] = await list();
  for (const path of [
    `${other.path}/deliveries/${publicId}`,
    `${hook.path}/deliveries/unknown12345`,
  ]) {
    expect((await admin.rest.get(path)).status).toBe(404);
    expect((await admin.rest.post(`${path}/redeliver`)).status).toBe(404);
  }
  await admin.rest.delete(hook.path);
  expect((await admin.rest.get(`${hook.path}/deliveries/${publicId}`)).status).toBe(404);
});

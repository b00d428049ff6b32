import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const send = (names: string[], key: string, suffix = "") =>
  app().call({
    method: "POST",
    path: `/trpc/${names.map(() => "list.create").join(",")}?batch=1`,
    body: Object.fromEntries(
      names.map((name, nth) => [nth, { name: `${name}${suffix}`, boardPublicId: world.board }]),
    ),
    token: world.admin.token,
    headers: { "Idempotency-Key": key },
  });
const idsOf = ({ body }: { body: { result: { data: { publicId: string } } }[] }) =>
  body.map(({ result }) => result.data.publicId);
const countOf = async (prefix: string) => {
  const { body } = await world.admin.rest.get(`/boards/${world.board}`);
  return body.lists.filter(({ name }: { name: string }) => name.startsWith(prefix)).length;
};

describe("Idempotency-Key in a tRPC batch", () => {
  test("makes each call of a repeated batch run once", async () => {
    const names = ["Batch one", "Batch two"];
    const first = await send(names, "batch");
    const second = await send(names, "batch");
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(new Set(idsOf(first)).size).toBe(2);
    expect(idsOf(second)).toEqual(idsOf(first));
    expect(await countOf("Batch")).toBe(2);
  });

  test("lets equal calls of one batch each run", async () => {
    const names = ["Equal", "Equal"];
    const first = await send(names, "equal");
    expect(idsOf(await send(names, "equal"))).toEqual(idsOf(first));
    expect(await countOf("Equal")).toBe(2);
  });

  test("of a call is the key, a colon and its index", async () => {
    const [, second] = idsOf(await send(["Alone one", "Alone two"], "alone"));
    const alone = await world.admin.rest.post(
      "/lists",
      { name: "Alone two", boardPublicId: world.board },
      { headers: { "Idempotency-Key": "alone:1" } },
    );
    expect(alone.body.publicId).toBe(second);
    expect(await countOf("Alone")).toBe(2);
  });

  test("may have as many characters as that of a single call", async () => {
    const longest = "k".repeat(255);
    const first = await send(["Long one", "Long two"], longest);
    expect(idsOf(await send(["Long one", "Long two"], longest))).toEqual(idsOf(first));
    expect(await countOf("Long")).toBe(2);
    const { body } = await send(["Long three", "Long four"], `${longest}k`);
    expect(body.map(({ error }: any) => error.data.issues[0].code)).toEqual([
      "idempotency_key_invalid",
      "idempotency_key_invalid",
    ]);
  });

  test("is the mutationId of the call's events", async () => {
    const created = idsOf(await send(["Named one", "Named two"], "named"));
    const { body } = await world.admin.rest.get(
      `/workspaces/${world.workspace.publicId}/events?types=list.created&limit=100`,
    );
    const keys = body.items
      .filter(({ data }: { data: any }) => created.includes(data.list.publicId))
      .map(({ mutationId }: { mutationId: string }) => mutationId);
    expect(keys.toSorted()).toEqual(["named:0", "named:1"]);
  });

  test("is 422 for another input of the same index, and writes nothing", async () => {
    await send(["Other one", "Other two"], "other");
    const { body } = await send(["Other one", "Other two"], "other", "!");
    expect(body.map(({ error }: { error: { data: object } }) => error.data)).toEqual([
      expect.objectContaining({ code: "UNPROCESSABLE_CONTENT" }),
      expect.objectContaining({ code: "UNPROCESSABLE_CONTENT" }),
    ]);
    expect(await countOf("Other")).toBe(2);
  });
});

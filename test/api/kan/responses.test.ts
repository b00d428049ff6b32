import { beforeAll, describe, expect, test } from "vitest";
import { translations } from "../../../src/api/kan/table.ts";
import { upload } from "../../domain/attachments/files.ts";
import { setOverride } from "../../kernel/access/membership.ts";
import { startApp, useApp } from "../../support/app.ts";
import { startS3 } from "../../support/s3.ts";
import { clientOf } from "./client.ts";
import { bodiesOf, fill, makeSample, queryOf, type Sample } from "./sample.ts";
import { shapes } from "./shapes.ts";

const app = useApp({ env: { APP_URL: "https://app.example.com" } });

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const ofFiles = /attachments\/(?:upload-url|confirm)$/;
const translated = translations.filter(({ translate }) => translate !== undefined);

test("every translation has a shape", () => {
  const withShape = translated.filter(({ path }) => !ofFiles.test(path)).map(keyOf);
  expect(withShape.toSorted()).toEqual(Object.keys(shapes).toSorted());
});

describe("each answer has the shape that programs read", () => {
  // Moves, deletions and invites end what others need.
  test.each(translated.filter(({ path }) => !ofFiles.test(path)))(
    "$method $path",
    async (translation) => {
      const sample = await makeSample(app());
      const key = keyOf(translation);
      const { bodies, invited } = await bodiesOf(app(), sample);
      const client = key === "POST /invites/accept" ? clientOf(app(), invited.token) : sample.kan;
      const query = queryOf(key);
      const path = fill(translation.path, sample.params) + query;
      const body = bodies[key];
      const reply = await client(translation.method, path, body === undefined ? {} : { body });
      expect(reply).toMatchObject({ status: 200 });
      const problem = shapes[key]?.safeParse(reply.body).error;
      expect(problem?.message, JSON.stringify(reply.body)).toBeUndefined();
      expect(reply.headers.get("x-request-id")).toMatch(/^[\w.:-]+$/);
      expect(reply.headers.get("ratelimit")).toMatch(/\d/);
    },
  );
});

describe("a board", () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await makeSample(app());
  });
  const cardsOf = (body: any) => body.lists.flatMap((one: any) => one.cards);

  test("shows its cards whole, in the order of the lists", async () => {
    const { kan, params, card, member, label } = sample;
    const { body } = await kan("GET", `/boards/${params.boardPublicId}`);
    expect(body.lists.map((one: any) => [one.name, one.index, one.cards.length])).toEqual([
      ["To do", 0, 0],
      ["Done", 1, 1],
    ]);
    expect(cardsOf(body)).toMatchObject([
      {
        publicId: card.publicId,
        title: "Oil the engines",
        description: "All of it",
        cardNumber: 1,
        dueDate: "2031-02-04T00:00:00.000Z",
        labels: [{ publicId: label.publicId, name: "Bug" }],
        members: [{ publicId: member.memberPublicId, email: member.email }],
        checklists: [{ name: "Steps", items: [{ title: "Buy oil", completed: false }] }],
        comments: [{ publicId: params.commentPublicId }],
      },
    ]);
    expect(cardsOf(body)[0].attachments).toHaveLength(1);
  });

  test("is filtered as Kan filters it, and still names all its lists", async () => {
    const { kan, params, label, member, list } = sample;
    await kan("POST", "/cards", { body: { title: "Undated", listPublicId: list.publicId } });
    const read = async (query: string) =>
      (await kan("GET", `/boards/${params.boardPublicId}?${query}`)).body;
    const titles = async (query: string) => cardsOf(await read(query)).map((one: any) => one.title);
    expect(await titles(`labels=${label.publicId}`)).toEqual(["Oil the engines"]);
    expect(await titles(`members=${member.memberPublicId}`)).toEqual(["Oil the engines"]);
    expect(await titles("dueDateFilters=no-due-date")).toEqual(["Undated"]);
    expect(await titles("dueDateFilters=overdue&dueDateFilters=no-due-date")).toEqual(["Undated"]);
    expect(await titles("dueDateFilters=no-due-date,no-due-date")).toEqual(["Undated"]);
    const one = await read(`lists=${list.publicId}`);
    expect(one.lists).toMatchObject([{ name: "Done", index: 1 }]);
    expect(one.allLists).toHaveLength(2);
    const inDays = (days: number) => new Date(app().deps.clock().getTime() + days * 86_400_000);
    const due = async (title: string, days: number) => {
      const dueDate = inDays(days).toISOString();
      await kan("POST", "/cards", { body: { title, dueDate, listPublicId: list.publicId } });
    };
    for (const days of [1, 7, 12, 40]) await due(`In ${days} days`, days);
    expect(await titles("dueDateFilters=next-week")).toEqual(["In 1 days", "In 7 days"]);
    expect(await titles("dueDateFilters=next-month")).toEqual(["In 12 days"]);
    expect(await titles("dueDateFilters=tomorrow,next-week")).toEqual(["In 1 days", "In 7 days"]);
    const refused = await kan("GET", `/boards/${params.boardPublicId}?dueDateFilters=soon`);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", issues: [{ path: ["dueDateFilters"] }] },
    });
  });

  test("has a favorite that board updates set", async () => {
    const { kan, params } = sample;
    const path = `/boards/${params.boardPublicId}`;
    for (const body of [{ favorite: true }, { isFavorite: false }, { favorite: true }]) {
      const { status } = await kan("PUT", path, { body });
      const { favorite } = (await kan("GET", path)).body;
      expect([status, favorite]).toEqual([200, Object.values(body)[0]]);
    }
  });

  test("is found by slugs in any case, and a public one by everybody", async () => {
    const { kan, workspace, params } = sample;
    const bySlug = `/workspaces/${workspace.slug.toUpperCase()}/boards/ENGINES`;
    expect((await kan("GET", bySlug)).body.publicId).toBe(params.boardPublicId);
    const anybody = clientOf(app());
    expect((await anybody("GET", bySlug)).status).toBe(404);
    await kan("PUT", `/boards/${params.boardPublicId}`, { body: { visibility: "public" } });
    expect((await anybody("GET", bySlug)).body).toMatchObject({ name: "Engines" });
    expect((await kan("GET", `/workspaces/${workspace.slug}/boards/none`)).status).toBe(404);
  });

  test("shows members what their permissions allow", async () => {
    const { member, params } = sample;
    const kan = clientOf(app(), member.token);
    const read = async () => (await kan("GET", `/boards/${params.boardPublicId}`)).body;
    await setOverride(app(), member.memberPublicId, "comment:view", false);
    expect(cardsOf(await read())[0]).toMatchObject({ description: "All of it", comments: [] });
    await setOverride(app(), member.memberPublicId, "member:view", false);
    expect((await read()).workspace.members).toEqual([]);
    const card = await kan("GET", `/cards/${params.cardPublicId}`);
    expect(card).toMatchObject({ status: 200, body: { list: { name: "Done" } } });
    expect(JSON.stringify(card.body)).not.toContain("How much?");
    await setOverride(app(), member.memberPublicId, "card:view", false);
    expect(cardsOf(await read())).toEqual([]);
  });
});

test("the activities of a card have Kan's types, newest first and page by page", async () => {
  const { kan, params } = await makeSample(app());
  const path = `/cards/${params.cardPublicId}/activities`;
  const types: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body }: any = await kan("GET", `${path}?limit=2${cursor && `&cursor=${cursor}`}`);
    types.push(...body.activities.map(({ type }: any) => type));
    expect(body.hasMore).toBe(body.nextCursor !== null);
    cursor = body.nextCursor;
  }
  expect(types).toEqual(
    [
      "card.updated.list",
      "card.updated.title",
      "card.updated.dueDate.updated",
      "card.updated.attachment.added",
      "card.updated.checklist.item.added",
      "card.updated.checklist.added",
      "card.updated.comment.added",
      "card.updated.member.added",
      "card.updated.label.added",
      "card.created",
    ].filter((type) => types.includes(type)),
  );
  const { body: card } = await kan("GET", `/cards/${params.cardPublicId}`);
  expect(card.activities.map(({ type }: any) => type)).toEqual(types.toReversed());
});

test("a key that is bound to a board reads the board and its cards", async () => {
  const { admin, params } = await makeSample(app());
  const { body } = await admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "Agent",
    boardPublicId: params.boardPublicId,
    permissions: ["workspace:view", "board:view", "list:view", "card:view"],
  });
  const kan = clientOf(app(), body.key);
  const board = await kan("GET", `/boards/${params.boardPublicId}`);
  expect(board).toMatchObject({ status: 200, body: { name: "Engines", favorite: false } });
  const card = await kan("GET", `/cards/${params.cardPublicId}`);
  expect(card).toMatchObject({ status: 200, body: { cardNumber: 1, list: { name: "Done" } } });
  expect(
    (await kan("PUT", `/cards/${params.cardPublicId}`, { body: { title: "No" } })).status,
  ).toBe(403);
});

test("files are sent to an address of the storage, as Kan does", async () => {
  const s3 = await startS3();
  const stored = await startApp({ env: { STORAGE_URL: s3.storageUrl } });
  try {
    const { kan, params, admin } = await makeSample(stored);
    const path = `/cards/${params.cardPublicId}/attachments`;
    const said = { filename: "a.txt", contentType: "text/plain", size: 3 };
    const { body } = await kan("POST", `${path}/upload-url`, { body: said });
    expect(Object.keys(body).toSorted()).toEqual(["key", "url"]);
    const sent = await fetch(body.url, {
      method: "PUT",
      headers: { "content-type": "text/plain" },
      body: "abc",
    });
    expect(sent.status).toBe(200);
    const confirmation = { ...said, s3Key: body.key, originalFilename: "a.txt" };
    const confirmed = await kan("POST", `${path}/confirm`, { body: confirmation });
    expect(confirmed).toMatchObject({
      status: 200,
      body: { publicId: body.key, s3Key: body.key, originalFilename: "a.txt", size: 3 },
    });
    const { body: card } = await kan("GET", `/cards/${params.cardPublicId}`);
    expect(card.attachments.map((one: any) => one.publicId)).toContain(body.key);
    for (const s3Key of [undefined, null, 1, "..", ".", "\0", "\ud800", { toString: 1 }, [["a"]]]) {
      const { status, body: refusal } = await kan("POST", `${path}/confirm`, { body: { s3Key } });
      expect([status, refusal.code], JSON.stringify(s3Key)).toEqual([400, "BAD_REQUEST"]);
    }
    expect((await upload(stored, admin, params.cardPublicId, "x")).status).toBe(200);
  } finally {
    await stored.close();
    await s3.stop();
  }
});

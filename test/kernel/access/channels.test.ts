import { beforeAll, expect, test } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";
import { startReceiver } from "../../support/receiver.ts";
import { openStream } from "../../support/stream.ts";
import { setOverride } from "./membership.ts";

const canary = "Verborgen";
const app = useApp({ env: { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" } });

type Team = Awaited<ReturnType<typeof makeTeam>>;
let team: Team;

/** A workspace with an open and a restricted board, and readers who are not on the latter. */
async function makeTeam() {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const [open, restricted, other] = [
    await makeBoard(workspace),
    await makeBoard(workspace),
    await makeBoard(workspace),
  ];
  const guest = await join(app(), workspace, "guest");
  const member = await join(app(), workspace, "member");
  const guestElsewhere = await join(app(), workspace, "guest");
  const noComments = await join(app(), workspace, "member");
  for (const { publicId: board } of [restricted, other]) {
    await admin.rest.put(`/boards/${board}`, { visibility: "restricted" });
  }
  await admin.rest.put(`/boards/${other.publicId}/members/${guestElsewhere.memberPublicId}`);
  const { body: key } = await admin.rest.post("/auth/api-keys", {
    name: "key",
    password: "a password for tests",
    boardPublicId: open.publicId,
  });
  await setOverride(app(), noComments.memberPublicId, "comment:view", false);
  const readers: Record<string, string> = {
    guest: guest.token,
    member: member.token,
    "guest on another restricted board": guestElsewhere.token,
    "member without comment:view": noComments.token,
    "key of another board": key.key,
  };
  return { workspace, publicId, admin, open, restricted, readers };
}

/** Writes texts with the canary to a board, and moves a card off it. */
async function write(admin: As, list: string, elsewhere: string) {
  const { rest } = admin;
  const { body: card } = await rest.post("/cards", { title: canary, listPublicId: list });
  const path = `/cards/${card.publicId}`;
  await rest.post(`${path}/comments`, { comment: `${canary} comment` });
  await rest.post(`${path}/checklists`, { name: canary, items: [canary] });
  await rest.put(`/lists/${list}`, { name: `${canary} list` });
  await rest.put(path, { title: "Plain" });
  const { status } = await rest.put(path, { listPublicId: elsewhere });
  expect(status).toBe(200);
  return String(card.publicId);
}

beforeAll(async () => {
  team = await makeTeam();
});

test("no feed and no stream sends what happened on a restricted board", async () => {
  const { admin, publicId, open, restricted, readers } = team;
  const path = `/workspaces/${publicId}/events`;
  const streams = await Promise.all(
    Object.entries(readers).map(async ([name, token]) => ({
      name,
      token,
      stream: await openStream(app(), `${path}/stream`, { token }),
    })),
  );
  for (const { stream } of streams) expect((await stream.next())?.event).toBe("ready");
  const [list = ""] = restricted.lists;
  const card = await write(admin, list, open.lists[0] ?? "");
  for (const { name, token, stream } of streams) {
    const [moved] = await stream.take(1);
    const feed = await app().call({ method: "GET", path, token });
    const history = await app().call({ method: "GET", path: `/cards/${card}/activities`, token });
    const items: { type: string }[] = feed.body.items;
    const others = items.filter(({ type }) => !type.startsWith("access."));
    for (const shown of [moved, others, history.body]) {
      const text = JSON.stringify(shown);
      for (const hidden of [canary, list, restricted.publicId]) {
        expect({ name, text }).toEqual({ name, text: expect.not.stringContaining(hidden) });
      }
    }
    expect({ name, event: moved?.event }).toEqual({ name, event: "card.moved" });
    await stream.close();
  }
});

test("a webhook of one board receives nothing of another", async () => {
  const { admin, publicId, open, restricted } = team;
  const receiver = await startReceiver();
  try {
    const { status } = await admin.rest.post(`/workspaces/${publicId}/webhooks`, {
      name: "Open",
      url: receiver.url,
      events: ["*"],
      boardPublicId: open.publicId,
    });
    expect(status).toBe(200);
    await write(admin, restricted.lists[1] ?? "", restricted.lists[2] ?? "");
    await admin.rest.put(`/boards/${open.publicId}`, { description: "Changed" });
    await deliverDue(app().deps);
    expect(receiver.deliveries.map(({ body }) => JSON.parse(body).type)).toEqual(["board.updated"]);
  } finally {
    await receiver.close();
  }
});

test("headers of another tenant or user open nothing", async () => {
  const { admin, publicId, workspace } = team;
  const stranger = await makeWorkspace(app());
  const foreign = `/workspaces/${stranger.publicId}/events`;
  const { body } = await admin.rest.get(`/workspaces/${publicId}/events?limit=1`);
  const lastEventId = { headers: { "Last-Event-ID": body.nextCursor } };
  const { token } = stranger.admin;
  const stream = await openStream(app(), `${foreign}/stream`, { token, ...lastEventId });
  expect(stream.status).toBe(400);
  const byCursor = await stranger.admin.rest.get(`${foreign}?cursor=${body.nextCursor}`);
  expect(byCursor.status).toBe(400);

  const once = { headers: { "Idempotency-Key": "shared" } };
  const first = await admin.rest.post("/workspaces", { name: canary }, once);
  expect(first.status).toBe(200);
  const second = await stranger.admin.rest.post("/workspaces", { name: "Other" }, once);
  expect(second).toMatchObject({ status: 200, body: { name: "Other" } });
  const { body: ticket } = await admin.rest.post("/auth/stream-ticket");
  const byTicket = await openStream(app(), `${foreign}/stream?ticket=${ticket.ticket}`);
  expect(byTicket.status).toBe(403);
  expect(workspace.publicId).not.toBe(stranger.publicId);
});

import { describe, expect, test } from "vitest";
import { removeMember, setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { besideAnotherDatabase, follow, waitingTransactions, write } from "../../support/feed.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";
import { openStream, type Sent, type Stream } from "../../support/stream.ts";
import { keyOf } from "../../kernel/access/key-scene.ts";

const app = useApp({ constants: { STREAM_LIMIT: 6 } });

const typesOf = (events: Sent[]) => events.map(({ event }) => event);
const idsOf = (events: Sent[]) => events.map(({ data }) => data.id);

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [list = ""] = board.lists;
  const path = `/workspaces/${workspace.publicId}/events/stream`;
  const open = (who: As = workspace.admin, query = "", headers: Record<string, string> = {}) =>
    openStream(app(), path + query, { token: who.token, headers });
  return { workspace, board, list, path, open, rest: workspace.admin.rest };
}

/** Opens a stream and waits until it is live. */
async function live(stream: Stream): Promise<Stream> {
  expect((await stream.next())?.event).toBe("ready");
  return stream;
}

describe("a stream", () => {
  test("starts with `ready` and then sends events in the form of the feed", async () => {
    const { workspace, list, open } = await scene();
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    const stream = await live(await open());
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.headers.get("x-accel-buffering")).toBe("no");
    expect(stream.headers.get("cache-control")).toBe("no-cache, no-transform");
    await makeCard(workspace.admin, list);
    await write(app(), workspace.publicId, 3);
    const received = await stream.take(4);
    const { items } = await follow(workspace.admin, workspace.publicId, { cursor });
    expect(received.map(({ data }) => data)).toEqual(items);
    expect(typesOf(received)).toEqual(items.map(({ type }) => type));
    const after = await follow(workspace.admin, workspace.publicId, { cursor: received[1]?.id });
    expect(after.items).toEqual(items.slice(2));
    await stream.close();
  });

  test("replays from a cursor and continues live, without gaps or duplicates", async () => {
    const { workspace, open } = await scene();
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    const ids = await write(app(), workspace.publicId, 250);
    const stream = await open(workspace.admin, `?cursor=${cursor}`);
    const writing = (async () => {
      for (let round = 0; round < 20; round++)
        ids.push(...(await write(app(), workspace.publicId, 7)));
    })();
    const received = await stream.take(250 + 140);
    await writing;
    expect(idsOf(received)).toEqual(ids);
    await stream.close();
  });

  test.each(waitingTransactions)(
    "skips no event while another database of the server has a transaction that is %s",
    async (kind) => {
      const { workspace, open } = await scene();
      const { cursor } = await follow(workspace.admin, workspace.publicId);
      await besideAnotherDatabase(kind, async () => {
        const ids = await write(app(), workspace.publicId, 3);
        const stream = await open(workspace.admin, `?cursor=${cursor}`);
        ids.push(...(await write(app(), workspace.publicId, 1)));
        expect(idsOf(await stream.take(1))).toEqual(ids.slice(0, 1));
        expect(idsOf(await stream.take(3))).toEqual(ids.slice(1));
        await stream.close();
      });
    },
  );

  test("continues after Last-Event-ID, which overrides the cursor", async () => {
    const { workspace, open } = await scene();
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    const ids = await write(app(), workspace.publicId, 5);
    const first = await open(workspace.admin, `?cursor=${cursor}`);
    const [, second] = await first.take(2);
    await first.close();
    const lastEventId = second?.id ?? "";
    const again = await open(workspace.admin, `?cursor=${cursor}`, {
      "Last-Event-ID": lastEventId,
    });
    expect(idsOf(await again.take(3))).toEqual(ids.slice(2));
    await again.close();
    const byQuery = await open(workspace.admin, `?lastEventId=${lastEventId}`);
    expect(idsOf(await byQuery.take(3))).toEqual(ids.slice(2));
    await byQuery.close();
  });

  test("opened without a cursor resumes at its start position", async () => {
    const { workspace, open } = await scene();
    const first = await open();
    const { id = "" } = (await first.next()) ?? {};
    await first.close();
    const ids = await write(app(), workspace.publicId, 2);
    const again = await open(workspace.admin, "", { "Last-Event-ID": id });
    expect(idsOf(await again.take(2))).toEqual(ids);
    await again.close();
  });

  test("sends only the requested types and board", async () => {
    const { workspace, board, list, open } = await scene();
    const other = await makeBoard(workspace, { lists: ["There"] });
    const [there = ""] = other.lists;
    const here = await live(await open(workspace.admin, `?boardPublicId=${board.publicId}`));
    const created = await live(await open(workspace.admin, "?types=card.created,list.created"));
    const card = await makeCard(workspace.admin, list);
    await makeCard(workspace.admin, there);
    await workspace.admin.rest.put(`/cards/${card}`, { listPublicId: there });
    await workspace.admin.rest.post("/lists", { name: "New", boardPublicId: board.publicId });
    expect(typesOf(await here.take(3))).toEqual(["card.created", "card.moved", "list.created"]);
    const received = typesOf(await created.take(3));
    expect(received).toEqual(["card.created", "card.created", "list.created"]);
    await Promise.all([here.close(), created.close()]);
  });

  test("is rejected without a credential, for strangers, and with a bad cursor", async () => {
    const { open, path } = await scene();
    expect((await openStream(app(), path)).status).toBe(401);
    expect((await open(await makeUser(app()))).status).toBe(403);
    for (const query of ["?cursor=nonsense", "?types=no.type", "?unknown=1"]) {
      expect((await open(undefined, query)).status).toBe(400);
    }
    const { status, failure } = await open(undefined, "", { "Last-Event-ID": "nonsense" });
    expect([status, failure.issues[0].path]).toEqual([400, ["lastEventId"]]);
  });

  test("responds to HEAD with headers only", async () => {
    const { workspace, path } = await scene();
    for (let count = 0; count < 10; count++) {
      const response = await app().fetch(
        new Request(`http://service/api/v1${path}`, {
          method: "HEAD",
          headers: { Authorization: `Bearer ${workspace.admin.token}` },
        }),
      );
      expect([response.status, response.body]).toEqual([200, null]);
      expect(response.headers.get("content-type")).toBe("text/event-stream");
    }
  });
});

describe("visibility is checked for every event", () => {
  test("a removed member's stream ends before the next event", async () => {
    const { workspace, list, open, rest } = await scene();
    const member = await join(app(), workspace, "member");
    const stream = await live(await open(member));
    await makeCard(workspace.admin, list, "Before");
    expect(typesOf(await stream.take(1))).toEqual(["card.created"]);
    await rest.delete(`/workspaces/${workspace.publicId}/members/${member.memberPublicId}`);
    await makeCard(workspace.admin, list, "After");
    expect(await stream.rest()).toEqual([]);
    expect((await open(member)).status).toBe(403);
  });

  test("even without a notification of the removal", async () => {
    const { workspace, list, open } = await scene();
    const member = await join(app(), workspace, "member");
    const stream = await live(await open(member));
    await removeMember(app(), member.memberPublicId);
    await makeCard(workspace.admin, list, "After");
    expect(await stream.rest()).toEqual([]);
  });

  test("a board that becomes restricted or open is hidden or shown at once", async () => {
    const { workspace, board, list, open, rest } = await scene();
    const member = await join(app(), workspace, "member");
    const { publicId: other } = await makeBoard(workspace);
    const stream = await live(await open(member));
    await makeCard(workspace.admin, list, "Seen");
    const [seen] = await stream.take(1);
    await rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    await makeCard(workspace.admin, list, "Secret");
    await rest.put(`/boards/${other}`, { name: "Other" });
    const [lost, next] = await stream.take(2);
    expect(seen?.data.data.card.title).toBe("Seen");
    expect([lost?.event, lost?.data.data]).toEqual([
      "access.lost",
      { boardPublicId: board.publicId },
    ]);
    expect(next?.data.data.board.publicId).toBe(other);
    await rest.put(`/boards/${board.publicId}/members/${member.memberPublicId}`, {});
    await makeCard(workspace.admin, list, "On it");
    const added = await stream.take(3);
    expect(typesOf(added)).toEqual(["board.member_added", "access.gained", "card.created"]);
    expect(added[2]?.data.data.card.title).toBe("On it");
    await rest.delete(`/boards/${board.publicId}/members/${member.memberPublicId}`);
    await makeCard(workspace.admin, list, "Off it");
    await rest.put(`/boards/${other}`, { name: "Other again" });
    const [, last] = await stream.take(2);
    expect(last?.data.data.board.name).toBe("Other again");
    await stream.close();
  });

  test("a permission change is effective at once", async () => {
    const { workspace, list, open, rest } = await scene();
    const guest = await join(app(), workspace, "guest");
    const card = await makeCard(workspace.admin, list);
    const stream = await live(await open(guest));
    const witness = await live(await open());
    const say = (comment: string) => rest.post(`/cards/${card}/comments`, { comment });
    await say("one");
    // Permissions at the time of sending count.
    const received = await stream.take(1);
    await setOverride(app(), guest.memberPublicId, "comment:view", false);
    await say("two");
    await witness.take(2);
    await setOverride(app(), guest.memberPublicId, "comment:view", true);
    await say("three");
    received.push(...(await stream.take(2)));
    const said = received.map(({ event, data }) => [event, data.data.comment?.comment]);
    expect(said).toEqual([
      ["comment.created", "one"],
      ["comment.created", undefined],
      ["comment.created", "three"],
    ]);
    await Promise.all([stream.close(), witness.close()]);
  });

  test("a revoked session or key ends its streams", async () => {
    const { workspace, list, open } = await scene();
    const member = await join(app(), workspace, "member");
    const { body: key } = await workspace.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "key",
    });
    const byKey = await live(await open(as(app(), key.key)));
    const bySession = await live(await open(member));
    await workspace.admin.rest.delete(`/auth/api-keys/${key.publicId}`);
    await member.rest.post("/auth/logout");
    await makeCard(workspace.admin, list);
    expect(await byKey.rest()).toEqual([]);
    expect(await bySession.rest()).toEqual([]);
  });

  test("a scoped key gets only its own events", async () => {
    const { workspace, board, list, open } = await scene();
    const onBoard = await keyOf(app(), workspace.admin, { boardPublicId: board.publicId });
    const ofBoard = await live(await open(onBoard));
    const some = await keyOf(app(), workspace.admin, {
      permissions: ["workspace:view", "card:view"],
      readOnly: true,
    });
    const stream = await live(await open(some));
    await workspace.admin.rest.post("/lists", { name: "New", boardPublicId: board.publicId });
    await makeCard(workspace.admin, list);
    expect(typesOf(await stream.take(1))).toEqual(["card.created"]);
    await stream.close();
    await makeBoard(workspace);
    await workspace.admin.rest.put(`/lists/${list}`, { name: "Renamed" });
    expect(typesOf(await ofBoard.take(3))).toEqual([
      "list.created",
      "card.created",
      "list.updated",
    ]);
    await ofBoard.close();
  });

  test("a replay uses current permissions", async () => {
    const { workspace, board, list, open, rest } = await scene();
    const member = await join(app(), workspace, "member");
    const { cursor } = await follow(member, workspace.publicId);
    await makeCard(workspace.admin, list, "Secret");
    await rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    await rest.put(`/workspaces/${workspace.publicId}`, { description: "New" });
    const stream = await open(member, `?cursor=${cursor}`);
    expect(typesOf(await stream.take(2))).toEqual(["access.lost", "workspace.updated"]);
    await stream.close();
  });
});

describe("a stream ends", () => {
  test("when the workspace is deleted, after its event", async () => {
    const { workspace, open, rest } = await scene();
    const stream = await live(await open());
    await rest.delete(`/workspaces/${workspace.publicId}`);
    expect(typesOf(await stream.rest())).toEqual(["workspace.deleted"]);
    expect((await open()).status).toBe(404);
  });

  test("after ten minutes, so that its client reconnects", async () => {
    const { workspace, open } = await scene();
    const stream = await live(await open());
    const ids = await write(app(), workspace.publicId, 2);
    const received = await stream.take(2);
    app().advance(10 * 60_000);
    expect(await stream.rest()).toEqual([]);
    const more = await write(app(), workspace.publicId, 1);
    const again = await open(undefined, "", { "Last-Event-ID": received[0]?.id ?? "" });
    expect(idsOf(await again.take(2))).toEqual([ids[1], ...more]);
    await again.close();
  });
});

test("a slow client gets a resync and then all events in order, without duplicates", async () => {
  const { workspace, open } = await scene();
  const stream = await live(await open());
  const ids = await write(app(), workspace.publicId, 1);
  await stream.take(1);
  // This stream does not read. Another one shows that all events were sent.
  const other = await live(await open());
  for (let round = 0; round < 20; round++) {
    const more = await write(app(), workspace.publicId, 100);
    ids.push(...more);
    await other.take(100);
  }
  const received: Sent[] = [];
  while (received.length < 2_001) {
    const one = await stream.next();
    if (one === undefined) throw new Error("It ended.");
    received.push(one);
  }
  const at = received.findIndex(({ event }) => event === "resync");
  expect(at).toBeGreaterThan(0);
  expect(at).toBeLessThan(1_000);
  expect(received[at]?.id).toBe(received[at - 1]?.id);
  const events = received.filter(({ event }) => event !== "resync");
  expect(idsOf(events)).toEqual(ids.slice(1));
  await Promise.all([stream.close(), other.close()]);
});

describe("the number of open streams of a user is limited", () => {
  test("one more is 429 until one is closed", async () => {
    const { workspace, open } = await scene();
    const streams = await Promise.all(Array.from({ length: 6 }, () => open()));
    expect(streams.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const { status, failure, headers } = await open();
    expect([status, failure.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    const member = await join(app(), workspace, "member");
    const others = await open(member);
    expect(others.status).toBe(200);
    await Promise.all([...streams, others].map((stream) => stream.close()));
    const again = await open();
    expect(again.status).toBe(200);
    await again.close();
  });

  test("disconnected clients do not count", async () => {
    const { workspace, path, open } = await scene();
    for (let count = 0; count < 12; count++) {
      const gone = new AbortController();
      const response = await app().fetch(
        new Request(`http://service/api/v1${path}`, {
          headers: { Authorization: `Bearer ${workspace.admin.token}` },
          signal: gone.signal,
        }),
      );
      expect(response.status).toBe(200);
      gone.abort();
    }
    const stream = await live(await open());
    await stream.close();
  });
});

describe("a ticket", () => {
  const ticketOf = async (who: As) => {
    const { status, body } = await who.rest.post("/auth/stream-ticket");
    expect(status).toBe(200);
    return body.ticket as string;
  };
  const withTicket = (path: string, ticket: string) =>
    openStream(app(), `${path}?ticket=${ticket}`);

  test("opens one stream instead of the credential", async () => {
    const { workspace, list, path } = await scene();
    const ticket = await ticketOf(workspace.admin);
    const stream = await live(await withTicket(path, ticket));
    await makeCard(workspace.admin, list);
    expect(typesOf(await stream.take(1))).toEqual(["card.created"]);
    await stream.close();
    const again = await withTicket(path, ticket);
    expect([again.status, again.failure.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("opens one stream for concurrent attempts", async () => {
    const { workspace, path } = await scene();
    const ticket = await ticketOf(workspace.admin);
    const streams = await Promise.all(Array.from({ length: 5 }, () => withTicket(path, ticket)));
    expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test("is valid for one minute, as expiresAt says", async () => {
    const { workspace, path } = await scene();
    const { body } = await workspace.admin.rest.post("/auth/stream-ticket");
    const now = app().deps.clock().getTime();
    expect(Date.parse(body.expiresAt)).toBe(now + 60_000);
    app().advance(60_000);
    expect((await withTicket(path, body.ticket)).status).toBe(401);
  });

  test("is not consumed by HEAD", async () => {
    const { workspace, path } = await scene();
    const ticket = await ticketOf(workspace.admin);
    const looked = async () =>
      (await app().call({ method: "HEAD", path: `${path}?ticket=${ticket}` })).status;
    expect([await looked(), await looked()]).toEqual([200, 200]);
    const stream = await live(await withTicket(path, ticket));
    expect(await looked()).toBe(401);
    await stream.close();
  });

  test("opens only streams", async () => {
    const { workspace } = await scene();
    const ticket = await ticketOf(workspace.admin);
    const paths = [
      `/workspaces/${workspace.publicId}?ticket=${ticket}`,
      `/workspaces/${workspace.publicId}/events?ticket=${ticket}`,
    ];
    for (const path of paths) {
      expect((await app().call({ method: "GET", path })).status).toBe(401);
      const headers = { Authorization: `Bearer ${ticket}` };
      expect((await app().call({ method: "GET", path, headers })).status).toBe(401);
    }
    const trpc = `/trpc/workspace.get?ticket=${ticket}&input=${encodeURIComponent(
      JSON.stringify({ workspacePublicId: workspace.publicId }),
    )}`;
    expect((await app().call({ method: "GET", path: trpc })).status).toBe(401);
    const stream = await withTicket(`/workspaces/${workspace.publicId}/events/stream`, ticket);
    expect(stream.status).toBe(200);
    await stream.close();
  });

  test("has the scope of its credential and ends with it", async () => {
    const { workspace, list, path } = await scene();
    const member = await join(app(), workspace, "member");
    const { body } = await workspace.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "key",
      permissions: ["workspace:view", "list:view"],
      readOnly: true,
    });
    const stream = await live(await withTicket(path, await ticketOf(as(app(), body.key))));
    const early = await ticketOf(member);
    const theirs = await live(await withTicket(path, await ticketOf(member)));
    await makeCard(workspace.admin, list);
    await workspace.admin.rest.put(`/lists/${list}`, { name: "Named" });
    expect(typesOf(await stream.take(1))).toEqual(["list.updated"]);
    expect(typesOf(await theirs.take(2))).toEqual(["card.created", "list.updated"]);
    await member.rest.post("/auth/logout");
    await makeCard(workspace.admin, list);
    expect(await theirs.rest()).toEqual([]);
    expect((await withTicket(path, early)).status).toBe(401);
    await stream.close();
  });

  test("is stored as a hash", async () => {
    const { workspace } = await scene();
    const ticket = await ticketOf(workspace.admin);
    const rows = await app().db.reader.streamTicket.findMany();
    expect(rows.length).toBeGreaterThan(0);
    expect(
      JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    ).not.toContain(ticket);
  });
});

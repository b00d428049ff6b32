import { z } from "zod";
import { expect, test } from "vitest";
import { catalog, eventTypes } from "../../../src/contract/events.ts";
import { schemaParts } from "../../../src/kernel/access/filter-output.ts";
import { actorOf } from "../../../src/kernel/events/actor.ts";
import { withCurrentNames } from "../../../src/kernel/events/current-names.ts";
import { writeEvents } from "../../../src/kernel/events/persist.ts";
import { runInTransaction } from "../../../src/kernel/events/transaction.ts";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { isSignal, openStream } from "../../support/stream.ts";

const app = useApp();

/** A card with a member who has written a comment. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, board.lists[0] ?? "", "A card");
  const member = await join(app(), workspace, "member");
  await rest.post(`/cards/${card}/members`, { memberPublicId: member.memberPublicId });
  const { body: comment } = await member.rest.post(`/cards/${card}/comments`, { comment: "text" });
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  return { workspace, member, card, comment, cursor };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const image = "https://example.com/new.png";

async function rename({ workspace, member }: Scene) {
  await member.rest.put("/users/me", { name: "New name", image });
  await workspace.admin.rest.put(`/workspaces/${workspace.publicId}`, { cardPrefix: "NEW" });
}

/** Writes an event of the card with the names that it had before both were renamed. */
async function emitBeside(on: Scene, type: "card.updated" | "comment.updated") {
  const { deps, db } = app();
  const { list, ...row } = await db.reader.card.findUniqueOrThrow({
    where: { publicId: on.card },
    include: { list: { include: { board: true } } },
  });
  await runInTransaction(deps, [type], async (tx) => {
    tx.workspaceId = row.workspaceId;
    await tx.lock("cards", [row.id]);
    const named = ({ publicId, name }: { publicId: string; name: string }) => ({ publicId, name });
    const { comment } = on;
    const parents = { list: named(list), board: named(list.board) };
    tx.emit(type, { card: { publicId: on.card }, comment, ...parents });
    await tx.completeEvents?.(tx)(tx.pendingEvents);
    await rename(on);
    await writeEvents(tx, actorOf(null), null);
  });
}

/** The names of a card and of its comment, as the service shows them now. */
async function namesNow({ workspace, card }: Scene) {
  const { rest } = workspace.admin;
  const { body } = await rest.get(`/cards/${card}`);
  const { items } = (await rest.get(`/cards/${card}/comments`)).body;
  expect(body.members).toMatchObject([{ name: "New name", image }]);
  expect(body.cardNumber).toMatch(/^NEW-/);
  return { members: body.members, cardNumber: body.cardNumber, author: items[0].author };
}

const types = ["card.updated", "comment.updated"] as const;

test.each(types)("a %s beside a rename has the new names in the feed", async (type) => {
  const on = await scene();
  await emitBeside(on, type);
  const { items } = await follow(on.workspace.admin, on.workspace.publicId, on);
  expect(items.map((event) => event.type)).toEqual(["member.updated", "workspace.updated", type]);
  const { members, cardNumber, author } = await namesNow(on);
  const { card, comment } = items[2].data;
  expect(card).toMatchObject({ members, cardNumber });
  if (type === "comment.updated") expect(comment).toMatchObject({ author, authorName: "New name" });
});

test.each(["live", "past"])("it has them in the stream, %s", async (when) => {
  const on = await scene();
  if (when === "past") await emitBeside(on, "card.updated");
  const path = `/workspaces/${on.workspace.publicId}/events/stream?cursor=${on.cursor}`;
  const stream = await openStream(app(), path, { token: on.workspace.admin.token });
  if (when === "live") await emitBeside(on, "card.updated");
  let sent = await stream.next();
  while (sent !== undefined && (isSignal(sent) || sent.event !== "card.updated"))
    sent = await stream.next();
  await stream.close();
  const { members, cardNumber } = await namesNow(on);
  expect(sent?.data.data.card).toMatchObject({ members, cardNumber });
});

/** A value of a schema, in which members and cards have old names. */
function oldValue(schema: z.core.$ZodType, member: string): unknown {
  const [part] = schemaParts(schema);
  if (schema instanceof z.ZodArray) return [oldValue(schema.element, member)];
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([name, one]) => [
      name,
      name === "publicId" ? member : oldValue(one, member),
    ]);
    return Object.fromEntries(fields);
  }
  return part === undefined ? "OLD-1" : oldValue(part, member);
}

/** The parts of a value that show names: references of members, and fields of cards and comments. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { publicId: _, ...others } = value as Record<string, any>;
  const isMember = Object.keys(others).toSorted().join() === "image,name";
  const own = ["cardNumber", "authorName"].flatMap((field) => others[field] ?? []);
  return [...own, ...(isMember ? [others["name"]] : []), ...Object.values(value).flatMap(namesIn)];
}

test("each name of a member and each prefix in an event is the current one", async () => {
  const on = await scene();
  await rename(on);
  const { id } = await app().db.reader.workspace.findUniqueOrThrow({
    where: { publicId: on.workspace.publicId },
  });
  const { memberPublicId } = on.member;
  const rows = eventTypes.map((type) => ({
    type,
    data: z.record(z.string(), z.unknown()).parse(oldValue(catalog[type].data, memberPublicId)),
  }));
  const shown = await withCurrentNames(app().db.read, id, rows);
  const names = shown.map(({ type, data }) => [type, ...new Set(namesIn(data))]);
  const named = names.filter((own) => own.length > 1);
  expect(named).toContainEqual(["comment.created", "New name", "NEW-1"]);
  expect(named).toContainEqual(["list.unarchived", "NEW-1", "New name"]);
  const isOld = (name: string | undefined) => name?.startsWith("OLD");
  expect(named.filter(([, ...own]) => own.some(isOld))).toEqual([]);
});

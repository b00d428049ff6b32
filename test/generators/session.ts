import assert from "node:assert/strict";
import { z } from "zod";

/** A call of an operation, as an adapter of a generated client gets it. */
export type Call = {
  operation: string;
  /** The values of the path, in its order. */
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** The bytes of a file, in base64. */
  file?: string;
  token?: string;
};

/** What the generated client returned: its decoded data, encoded again. */
const Answer = z.object({
  status: z.number(),
  data: z.unknown().optional(),
  file: z.base64().optional(),
});
export type Answer = z.infer<typeof Answer>;

/** Calls an operation with a generated client. */
export type Client = (call: Call) => Promise<unknown>;

const Created = z.object({ publicId: z.string().min(12) });
const Board = Created.extend({ lists: z.array(Created) });
const Card = Created.extend({
  title: z.string(),
  listPublicId: z.string(),
  commentCount: z.number(),
  labels: z.array(z.object({ name: z.string(), colourCode: z.string().nullable() })),
  fields: z.record(z.string(), z.unknown()),
  checklists: z.array(z.object({ items: z.array(z.object({ title: z.string() })) })),
});
const Page = z.object({
  items: z.array(z.object({ title: z.string() })),
  nextCursor: z.string().nullable(),
});
const Failure = z.object({
  code: z.literal("NOT_FOUND"),
  issues: z.array(z.object({ code: z.literal("card_not_found") })).length(1),
});
const Export = z.object({ boards: z.array(z.object({ name: z.string() })) });

const encode = (text: string) => Buffer.from(text).toString("base64");
const decode = (file: string | undefined) => Buffer.from(file ?? "", "base64").toString();

/** The session of every generated client. Rejects at the first wrong answer. */
export async function session(client: Client): Promise<void> {
  let token: string | undefined;
  const response = async (operation: string, call: Omit<Call, "operation"> = {}) =>
    Answer.parse(await client({ operation, ...call, ...(token === undefined ? {} : { token }) }));
  const done = async <Shape extends z.ZodType>(
    operation: string,
    call: Omit<Call, "operation">,
    shape: Shape,
  ): Promise<z.output<Shape>> => {
    const { status, data } = await response(operation, call);
    assert.equal(status, 200, `${operation}: ${status} ${JSON.stringify(data)}`);
    return shape.parse(data);
  };

  const account = { name: "Ada", email: `${crypto.randomUUID()}@example.com` };
  const body = { ...account, password: "correct horse battery" };
  const registered = await done("auth.register", { body }, z.object({ accessToken: z.string() }));
  token = registered.accessToken;

  const { publicId: workspacePublicId } = await done(
    "workspace.create",
    { body: { name: "Home" } },
    Created,
  );
  const workspace = { workspacePublicId };
  const { publicId: boardPublicId, lists } = await done(
    "board.create",
    { path: workspace, body: { name: "Garden", lists: ["To do", "Done"] } },
    Board,
  );
  const [toDo, finished] = lists.map(({ publicId }) => publicId);
  const cards: string[] = [];
  for (const title of ["Plant", "Water", "Harvest"]) {
    const { publicId } = await done(
      "card.create",
      { body: { title, listPublicId: toDo } },
      Created,
    );
    cards.push(publicId);
  }
  const [cardPublicId = ""] = cards;
  const card = { cardPublicId };
  const move = { path: card, body: { listPublicId: finished, dueDate: null } };
  await done("card.update", move, Created);

  const label = { name: "Urgent", colourCode: "#d73a4a" };
  const { publicId: labelPublicId } = await done(
    "label.create",
    { body: { ...label, boardPublicId } },
    Created,
  );
  const toggled = await done(
    "card.toggleLabel",
    { path: { cardPublicId, labelPublicId } },
    z.object({ newLabel: z.boolean() }),
  );
  assert.equal(toggled.newLabel, true);
  const checklist = { path: card, body: { name: "Steps" } };
  const { publicId: checklistPublicId } = await done("checklist.create", checklist, Created);
  const item = { checklistPublicId, title: "Dig" };
  await done("checklist.addItem", { body: item }, Created);
  const comment = { path: card, body: { comment: "Looks fine, “Åse”." } };
  await done(
    "comment.create",
    comment,
    Created.extend({ comment: z.literal(comment.body.comment) }),
  );

  const read = await done("card.get", { path: card }, Card);
  assert.deepEqual(
    [read.title, read.listPublicId, read.commentCount, read.labels],
    ["Plant", finished, 1, [label]],
  );
  assert.deepEqual(read.checklists, [{ items: [{ title: "Dig" }] }]);
  const missing = await response("card.get", { path: { cardPublicId: "000000000000" } });
  assert.equal(missing.status, 404);
  Failure.parse(missing.data);

  const path = { boardPublicId };
  const size = await done(
    "field.create",
    { path, body: { name: "Size", type: "select", options: [{ name: "S" }, { name: "L" }] } },
    Created.extend({ options: z.array(Created) }),
  );
  const effort = { path, body: { name: "Effort", type: "number" } };
  const { publicId: effortPublicId } = await done("field.create", effort, Created);
  const large = size.options[1]?.publicId ?? "";
  // The number has more digits than 32 bits hold.
  const fields = { [size.publicId]: large, [effortPublicId]: 16_777_217.5 };
  await done("card.update", { path: card, body: { fields } }, Created);
  assert.deepEqual((await done("card.get", { path: card }, Card)).fields, fields);
  const filter = {
    and: [
      { field: `fields.${size.publicId}`, op: "is", value: large },
      { field: `fields.${effortPublicId}`, op: "gt", value: 16_777_217 },
      { not: { field: "labels", op: "is", value: "000000000000" } },
    ],
  };
  const selection = { filter, sortBy: [{ field: "dueDate", order: "desc" }] };
  const found = await done("board.queryCards", { path, body: selection }, Page);
  const view = { name: "Large", ...selection, groupBy: { field: "label" } };
  const { publicId: viewPublicId } = await done(
    "view.create",
    { path: workspace, body: view },
    Created,
  );
  const shown = await done("view.cards", { path: { viewPublicId } }, Page);
  for (const { items } of [found, shown]) {
    assert.deepEqual(
      items.map(({ title }) => title),
      ["Plant"],
    );
  }

  const titles: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
    const page = await done("board.cards", { path, query }, Page);
    titles.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor;
  }
  assert.deepEqual(titles.toSorted(), ["Harvest", "Plant", "Water"]);
  const labels = [labelPublicId, "000000000000"];
  const labelled = await done("board.cards", { path, query: { labels } }, Page);
  assert.deepEqual(
    labelled.items.map(({ title }) => title),
    ["Plant"],
  );

  const upload = { path: card, query: { filename: "list.txt" }, file: encode("seeds\n") };
  const { publicId: attachmentPublicId } = await done("attachment.upload", upload, Created);
  const download = await response("attachment.download", { path: { attachmentPublicId } });
  assert.deepEqual([download.status, decode(download.file)], [200, "seeds\n"]);
  const csv = await response("board.exportCsv", { path });
  assert.equal(csv.status, 200);
  assert.match(decode(csv.file), /Plant[^]*Urgent/);
  const exported = await done("workspace.export", { path: workspace }, Export);
  assert.deepEqual(exported.boards, [{ name: "Garden" }]);
}

import { expect, test } from "vitest";
import { alsoIn, twoWorkspaces } from "../domain/boards/moving.ts";
import { useApp } from "../support/app.ts";
import fc from "../support/fast-check.ts";
import { join, makeBoard, makeCard } from "../support/make.ts";
import { clientAt, type Answer, type Client } from "./http.ts";
import { checkPlans, clients, plansOf } from "./plans.ts";

const app = useApp({ isolated: true });
const steps = 30;

/** Two boards with cards, two workspaces, and eight admins of both over real connections. */
async function scene() {
  const { here, there, admin } = await twoWorkspaces(app());
  const boards = [await makeBoard(here), await makeBoard(here)];
  const lists = boards.flatMap((board) => board.lists);
  const cards: string[] = [];
  for (const list of lists) cards.push(await makeCard(admin, list));
  const admins = [];
  for (let nth = 0; nth < clients; nth++) {
    const user = await join(app(), here, "admin");
    await alsoIn(there, user, "admin");
    admins.push(user);
  }
  const leaver = await join(app(), here, "member");
  const members = [leaver.memberPublicId, await alsoIn(there, leaver)];
  const workspaces = [here.publicId, there.publicId];
  const parts: Record<string, string[]> = { checklist: [], item: [], comment: [], attachment: [] };
  return { workspaces, boards, lists, cards, admins, leaver, members, parts };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Calls = Record<string, () => Promise<Answer>>;

const noId = "000000000000";

/** What the numbers of a step select from what exists by then. */
function selection(here: Scene, one: number, other: number) {
  const from = (all: string[], at: number) => all[at % Math.max(all.length, 1)] ?? noId;
  const [commentedCard, comment] = from(here.parts["comment"] ?? [], one).split(" ");
  return {
    card: from(here.cards, one),
    list: from(here.lists, other),
    board: from(
      here.boards.map(({ publicId }) => publicId),
      one,
    ),
    workspace: from(here.workspaces, other),
    member: from(here.members, other),
    checklist: from(here.parts["checklist"] ?? [], one),
    item: from(here.parts["item"] ?? [], one),
    attachment: from(here.parts["attachment"] ?? [], one),
    comment: `/cards/${commentedCard}/comments/${comment ?? noId}`,
  };
}
type Selection = ReturnType<typeof selection>;

/** Notes the parts that an answer has made. */
async function noting(here: Scene, kind: string, answering: Promise<Answer>, card = "") {
  const response = await answering;
  if (response.status !== 200) return response;
  here.parts[kind]?.push(`${card}${response.body.publicId}`);
  for (const { publicId } of response.body.items ?? []) here.parts["item"]?.push(publicId);
  return response;
}

const partCalls = (call: Client, here: Scene, at: Selection): Calls => ({
  "add checklist": () => {
    const fields = { name: "Steps", items: ["a", "b", "c"] };
    return noting(here, "checklist", call("POST", `/cards/${at.card}/checklists`, fields));
  },
  "rename checklist": () => call("PUT", `/checklists/${at.checklist}`, { name: "S", index: 0 }),
  "delete checklist": () => call("DELETE", `/checklists/${at.checklist}`),
  "add item": () => {
    const fields = { title: "d", checklistPublicId: at.checklist };
    return noting(here, "item", call("POST", "/checklists/items", fields));
  },
  "complete item": () => call("PUT", `/checklists/items/${at.item}`, { completed: true }),
  "move item": () => call("PUT", `/checklists/items/${at.item}`, { index: 0 }),
  "delete item": () => call("DELETE", `/checklists/items/${at.item}`),
  "add comment": () => {
    const comment = call("POST", `/cards/${at.card}/comments`, { comment: "c" });
    return noting(here, "comment", comment, `${at.card} `);
  },
  "edit comment": () => call("PUT", at.comment, { comment: "d" }),
  "delete comment": () => call("DELETE", at.comment),
  "add file": () => {
    const path = `/cards/${at.card}/attachments?filename=a.json`;
    return noting(here, "attachment", call("POST", path, { some: "text" }));
  },
  "delete file": () => call("DELETE", `/attachments/${at.attachment}`),
});

/** Changes of cards, lists and boards, alone and together with their parts. */
const wideCalls = (call: Client, here: Scene, at: Selection): Calls => ({
  "due date": () => call("PUT", `/cards/${at.card}`, { dueDate: "2031-01-01T00:00:00.000Z" }),
  "move card": () => call("PUT", `/cards/${at.card}`, { listPublicId: at.list, index: 0 }),
  assign: () => call("POST", `/cards/${at.card}/members`, { memberPublicId: at.member }),
  sort: () => call("POST", `/lists/${at.list}/sort`, { by: "createdAt", order: "desc" }),
  duplicate: () => call("POST", `/cards/${at.card}/duplicate`, { withAttachments: true }),
  "move board": () => call("POST", `/boards/${at.board}/move`, { workspacePublicId: at.workspace }),
  "change all": () =>
    call("POST", `/boards/${at.board}/cards/bulk`, {
      filter: {},
      set: { dueDate: null, addMemberPublicIds: [] },
    }),
  batch: () =>
    call("POST", `/workspaces/${at.workspace}/batch`, {
      operations: [
        { operation: "card.create", input: { title: "New", listPublicId: at.list } },
        { operation: "checklist.delete", input: { checklistPublicId: at.checklist } },
        { operation: "list.sort", input: { listPublicId: at.list, by: "title" } },
        { operation: "card.update", input: { cardPublicId: at.card, index: 0 } },
      ],
    }),
  remove: () => call("DELETE", `/workspaces/${at.workspace}/members/${at.member}`),
  "invite again": async () => {
    const path = `/workspaces/${at.workspace}/invites`;
    const { body, ...response } = await call("POST", path, { role: "member" });
    if (response.status !== 200) return { body, ...response };
    return here.leaver.rest.post("/invites/accept", { inviteCode: body.inviteCode });
  },
});

const noClient: Client = () => Promise.resolve({ status: 0, body: null });
const callsOf = (call: Client, here: Scene, at: Selection): Calls => ({
  ...partCalls(call, here, at),
  ...wideCalls(call, here, at),
});
const nowhere = { parts: {}, lists: [], cards: [], boards: [], workspaces: [], members: [] };
// The names of the calls need no scene.
const names = Object.keys(callsOf(noClient, nowhere as unknown as Scene, {} as Selection));
const step = fc.record({ what: fc.constantFrom(...names), one: fc.nat(99), other: fc.nat(99) });

test("whatever eight clients change at once on cards and boards, no calls deadlock", async () => {
  await checkPlans(app(), plansOf(step, steps), async (url, each) => {
    const here = await scene();
    const unexpected: unknown[] = [];
    await Promise.all(
      each.map(async (own, nth) => {
        const call = clientAt(url, here.admins[nth]?.token ?? "");
        for (const { what, one, other } of own) {
          const { status, body } = (await callsOf(call, here, selection(here, one, other))[
            what
          ]?.()) ?? { status: 0, body: null };
          // A batch is refused when its targets have moved to the other workspace.
          const isExpected = [200, 404, 409, what === "batch" ? 400 : 200].includes(status);
          if (!isExpected) unexpected.push([what, status, body]);
        }
      }),
    );
    expect(unexpected).toEqual([]);
  });
});

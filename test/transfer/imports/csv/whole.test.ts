import { beforeEach, expect, test } from "vitest";
import { useApp } from "../../../support/app.ts";
import { makeWorkspace, type Workspace } from "../../../support/make.ts";
import { addsUp } from "../hosts.ts";
import { importCsv, sendCsv } from "./sending.ts";
import { programTables } from "./program-tables.ts";

const app = useApp({ isolated: true });

let home: Workspace;
beforeEach(async () => {
  home = await makeWorkspace(app());
});

const bring = (body: string, query?: Record<string, string>) => importCsv(app(), home, body, query);
const preview = (body: string, query: Record<string, string> = {}) =>
  sendCsv(app(), home, "/imports/csv/preview", query, body);
const reasons = ({ done }: any) => done.issues.map(({ reason }: any) => reason);

test("comments come with their times and authors, whose ids other columns name", async () => {
  const { cards, done } = await bring(
    "Summary,Issue key,Issue id,Status,Assignee,Assignee Id,Comment,Comment,Watchers,Watchers\n" +
      'Hall,EV-1,1,Open,Ada Lovelace,712020:a1,"11/Nov/24 4:00 PM;712020:a1;One; two",12/Nov/24 8:00 AM;712020:b2;Three,Ada,Grace\n',
  );
  expect(addsUp(done)).toBe(true);
  const said = cards.Hall.comments.map(({ comment, createdAt, authorName }: any) => [
    comment,
    createdAt,
    authorName,
  ]);
  expect(said.toSorted()).toEqual([
    ["One; two", "2024-11-11T16:00:00.000Z", "Ada Lovelace"],
    ["Three", "2024-11-12T08:00:00.000Z", "712020:b2"],
  ]);
  expect(done.counts.column).toMatchObject({ found: 2, leftOut: 2 });
});

const shown = ({ relations }: any) =>
  relations.map(({ kind, card }: any) => `${kind} ${card.title}`).toSorted();

test("cards below others are related to these, and a parent that is missing is reported", async () => {
  const result = await bring(
    "Summary,Issue key,Issue id,Status,Parent,Resolved\n" +
      "Part two,EV-2,2,Done,1,12/Nov/24 8:00 AM\nWhole,EV-1,1,Open,,\nPart three,EV-3,3,Open,1,\nLost,EV-4,4,Open,99,\n",
  );
  const children = result.cards.Whole.relations.map(({ kind, card }: any) => [kind, card.title]);
  expect(children).toEqual([
    ["parent", "Part two"],
    ["parent", "Part three"],
  ]);
  expect(result.cards.Whole.checklists).toEqual([]);
  expect(shown(result.cards["Part two"])).toEqual(["child Whole"]);
  expect(addsUp(result.done)).toBe(true);
  expect(Object.keys(result.cards)).toHaveLength(4);
  expect(reasons(result).filter((text: string) => text.includes("parent"))).toEqual([
    "The parent is not in the file: 99",
  ]);
  const again = await importCsv(
    app(),
    home,
    "Summary,Issue key,Issue id,Status,Parent\nWhole,EV-1,1,Open,\nPart four,EV-5,5,Open,1\n",
  );
  expect(shown(again.cards.Whole)).toEqual([
    "parent Part four",
    "parent Part three",
    "parent Part two",
  ]);
  expect(addsUp(again.done)).toBe(true);
});

test("Jira's links and Asana's dependencies are relations, each once", async () => {
  const jira = await bring(
    "Summary,Issue key,Issue id,Status,Outward issue link (Blocks),Outward issue link (Blocks),Inward issue link (Blocks),Outward issue link (Relates),Inward issue link (Duplicate),Outward issue link (Blocks)\n" +
      "One,A-1,1,Open,A-2,A-3,,A-3,A-2,A-1\nTwo,A-2,2,Open,,,A-1,,,\nThree,A-3,3,Open,A-1,,A-1,B-77,,\n",
  );
  expect(shown(jira.cards.One)).toEqual([
    "blocks Three",
    "blocks Two",
    "duplicatedBy Two",
    "relates Three",
  ]);
  expect(shown(jira.cards.Two)).toEqual(["blockedBy One", "duplicates One"]);
  expect(reasons(jira)).toEqual([
    "A card has no relation to itself: A-1",
    "A related card is not in the file: B-77",
    expect.stringContaining("A card would block"),
  ]);
  expect(addsUp(jira.done)).toBe(true);
  const asana = await bring(
    "Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Due Date,Parent task,Blocked By (Dependencies),Blocking (Dependencies)\n" +
      '11,2026-01-01,,2026-01-02,"Plan, then act",Do,,,,,\n12,2026-01-01,,2026-01-02,Paint,Do,,,"Plan, then act","Plan, then act,Buy",Show\n' +
      "13,2026-01-01,,2026-01-02,Buy,Do,,,,,Paint\n14,2026-01-01,,2026-01-02,Show,Do,,,,Paint,\n",
    { boardName: "Asana" },
  );
  expect(shown(asana.cards.Paint)).toEqual([
    "blockedBy Buy",
    "blockedBy Plan, then act",
    "blocks Show",
    "child Plan, then act",
  ]);
  expect(reasons(asana)).toEqual([]);
});

test("parents in circles, too deep or too many never fail an import: a checklist, and a line of each", async () => {
  const chain = Array.from(
    { length: 9 },
    (_, nth) => `C${nth},c${nth},${nth === 0 ? "" : `c${nth - 1}`}`,
  );
  const wide = Array.from({ length: 103 }, (_, nth) => `W${nth},w${nth},top`);
  const circle = ["X,x,z", "Y,y,x", "Z,z,y", "Self,self,self"];
  const result = await bring(
    ["Title,Id,Parent", ...chain, "Top,top,", ...wide, ...circle].join("\n"),
  );
  const { done, cards } = result;
  expect(addsUp(done)).toBe(true);
  expect(done.counts.card).toMatchObject({ found: 117, created: 117 });
  expect(cards.Top.relations).toHaveLength(100);
  expect(cards.Top.checklists[0].items.map(({ title }: any) => title)).toEqual([
    "W100",
    "W101",
    "W102",
  ]);
  expect(cards.C5.checklists[0].items.map(({ title }: any) => title)).toEqual(["C6"]);
  expect(shown(cards.C6)).toEqual(["parent C7"]);
  const inCircle = ["X", "Y", "Z"].flatMap((title) => shown(cards[title]));
  expect(inCircle).toHaveLength(4);
  const counted = new Map<string, number>();
  for (const reason of reasons(result)) {
    const text = reason.replace(/\.?: \w+$/, "");
    counted.set(text, (counted.get(text) ?? 0) + 1);
  }
  expect([...counted].toSorted()).toEqual([
    ["A card has at most 100 relations. It is an item of a checklist there", 3],
    ["A card has no relation to itself", 1],
    ["It would have more than 5 parents above it: it is an item of a checklist there", 1],
    ["The card would contain itself", 1],
  ]);
});

test("groups and subitems of monday.com, and pieces of a table before the header, are read", async () => {
  const { cards } = await bring(
    'Spring party\nAll that is to do\n\nBefore\nName,Subitems,Person,Budget\nHall,,Ada,"€1.200,50"\n' +
      'Subitems,Name,Owner,Status\n,Call,Ada,Done\n,Pay,Ada,Stuck\n\nAfter\nName,Subitems,Person,Budget\nClean,,,"€2.000,00"\n',
    { from: "monday", header: "5" },
  );
  expect(cards.Hall).toMatchObject({ list: "Before" });
  expect(cards.Hall.checklists[0].items).toMatchObject([
    { title: "Call", isComplete: true },
    { title: "Pay", isComplete: false },
  ]);
  expect(cards.Clean).toMatchObject({ list: "After" });
  expect(Object.values(cards.Hall.fields)).toEqual([1200.5]);
  expect(Object.values(cards.Clean.fields)).toEqual([2000]);
});

test.each([
  ["dots", '"1,200.50","$1,000","2,000.75 %"', [1200.5, 1000, 2000.75]],
  ["commas", '"1.200,50","1.000 €","1,5 %"', [1200.5, 1000, 1.5]],
  ["Swiss", "1'200.50,CHF 3.5,-7 h", [1200.5, 3.5, -7]],
])("numbers with %s are read as their column writes them", async (_, row, expected) => {
  const cells = row.match(/"[^"]*"|[^,]+/g) ?? [];
  const body = ["Name,Cost", ...cells.map((cell, nth) => `Card ${nth},${cell}`)].join("\n");
  const { cards } = await bring(body, { fields: '{"Cost":"number"}' });
  const values = expected.map((__, nth) => Object.values(cards[`Card ${nth}`].fields)[0] ?? null);
  expect(values).toEqual(expected);
});

test("dates of one file that can be read in two ways ask for dateOrder; one that cannot decides", async () => {
  const unclear = "Name,Due\nOne,3/4/2026\nTwo,5/6/2026\n";
  const query = { boardName: "Cards" };
  const refused = await sendCsv(app(), home, "/imports/csv", query, unclear);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringMatching(/3\/4\/2026.*dateOrder/),
  ]);
  const { cards } = await bring(unclear, { dateOrder: "mdy" });
  expect(cards.One.dueDate).toContain("2026-03-04");
  const clear = await bring(`${unclear}Three,13/6/2026\n`, { boardName: "Other" });
  expect(clear.cards.One.dueDate).toContain("2026-04-03");
  // One proof late in a large file is enough.
  const many = `${unclear}${"Card,3/4/2026\n".repeat(5_000)}Last,6/25/2026\n`;
  const { body } = await preview(many);
  expect(body.dateOrder).toBe("mdy");
  const both = await sendCsv(
    app(),
    home,
    "/imports/csv",
    query,
    `${unclear}A,13/1/26\nB,1/13/26\n`,
  );
  expect(both.status).toBe(400);
});

test("a file without a header, or with one further down, is read as asked or when it is plain", async () => {
  const plain = await preview("Buy milk,2026-03-01\nBuy eggs,2026-03-02\n");
  expect(plain.body.cards.map(({ title }: any) => title)).toEqual(["Buy milk", "Buy eggs"]);
  const asked = await preview("Title,Due\nOne,Two\n", { header: "none", dueDateColumn: "2" });
  expect(asked.body.columns.map(({ name }: any) => name)).toEqual(["1", "2"]);
  expect(asked.body.cards).toHaveLength(2);
  const later = await preview("My tasks\n\nTask,Status,Due\nOne,Doing,2026-03-01\n");
  expect(later.body.cards).toMatchObject([{ title: "One", list: "Doing" }]);
  const line = await preview("a,b\nx,y\nTask,Stage\nOne,Doing\n", { header: "3" });
  expect(line.body.cards).toMatchObject([{ title: "One", list: "Doing" }]);
  expect((await preview("Task\nOne\n", { header: "9" })).status).toBe(400);
  const named = await preview("Summary,Status\nOne,Done\n", { from: "jira" });
  expect(named.body).toMatchObject({ from: "jira", program: "Jira" });
});

test("a 400 about columns names those of the file", async () => {
  const query = { boardName: "Cards" };
  for (const more of [{}, { titleColumn: "Topic" }]) {
    const { status, body } = await sendCsv(
      app(),
      home,
      "/imports/csv",
      { ...query, ...more },
      "Aa,Bb\nx,y\n",
    );
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("Aa, Bb")]);
  }
});

test("every program's table is imported with sums that hold, and again without a new card", async () => {
  for (const [nth, { header, cards }] of programTables.entries()) {
    const body = [header, ...cards.map(([line]) => line)].join("\n");
    const query = { boardName: `Table ${nth}` };
    const { done } = await bring(body, query);
    expect([done.error, addsUp(done)]).toEqual([null, true]);
    expect(done.counts.card.created).toBe(cards.length);
    const again = await bring(body, query);
    for (const { created } of Object.values<any>(again.done.counts)) expect(created).toBe(0);
  }
});

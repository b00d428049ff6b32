import { beforeEach, expect, test } from "vitest";
import { makeWorkspace, type Workspace } from "../../support/make.ts";
import { boardOf, importFile } from "./importing.ts";
import { useTrello } from "./trello-app.ts";
import { board, card, field, fieldItem, idOf, kinds, list, option } from "./trello-objects.ts";

const { app, trello, bring } = useTrello();

let home: Workspace;
beforeEach(async () => {
  home = await makeWorkspace(app());
});

const sizes = [
  option(2, "Large", { color: "red", pos: 2 }),
  option(1, "Small", { color: "lime", pos: 1 }),
  option(3, "Unknown", { pos: 3 }),
];
const moment = "2026-03-13T16:00:00.000Z";

/** A board with a field of each of Trello's types, and a card with a value in each. */
const everyType = () =>
  board({
    lists: [list(1)],
    customFields: [
      field(2, "text", { name: "Customer", display: { cardFront: false } }),
      field(1, "list", { name: "Size", options: sizes }),
      field(3, "number", { name: "Effort" }),
      field(4, "date", { name: "Launch" }),
      field(5, "checkbox", { name: "Approved" }),
    ],
    cards: [
      card(1, {
        customFieldItems: [
          fieldItem(1, 1, { idValue: idOf(kinds.option, 2) }),
          fieldItem(2, 2, { value: { text: "Ada & Sons" } }),
          fieldItem(3, 3, { value: { number: "-2.5" } }),
          fieldItem(4, 4, { value: { date: moment } }),
          fieldItem(5, 5, { value: { checked: "true" } }),
        ],
      }),
      card(2, {
        customFieldItems: [
          fieldItem(6, 1, { idValue: idOf(kinds.option, 1) }),
          fieldItem(7, 3, { value: { number: "0" } }),
          fieldItem(8, 5, { value: { checked: "false" } }),
        ],
      }),
    ],
  });

/** The fields of an imported board, and the values of its cards by the names of fields. */
async function fieldsOf(done: any) {
  const { fields, lists } = await boardOf(home, done.boards[0].publicId);
  const options = new Map(
    fields.flatMap((one: any) => one.options.map((each: any) => [each.publicId, each.name])),
  );
  const names = new Map(fields.map((one: any) => [one.publicId, one.name]));
  const values = [];
  for (const { publicId } of lists[0].cards) {
    const { body } = await home.admin.rest.get(`/cards/${publicId}`);
    const shown = Object.entries(body.fields).map(([id, value]) => [
      names.get(id),
      options.get(value) ?? value,
    ]);
    values.push(Object.fromEntries(shown));
  }
  return { fields, values };
}

/** Imported and lost is what was in the source. */
function expectSums(done: any) {
  for (const { found, created, alreadyThere, leftOut } of Object.values<any>(done.counts))
    expect(created + alreadyThere + leftOut).toBe(found);
}

test.each(["its file", "its API"])(
  "a value of each type comes over from %s, and nothing is lost",
  async (from) => {
    const source = everyType();
    trello().whole = [source];
    const done =
      from === "its file"
        ? await importFile(app(), home, source)
        : await bring(home, [idOf(kinds.board, 1)]);
    expect(done).toMatchObject({ status: "completed", error: null });
    const { fields, values } = await fieldsOf(done);
    expect(fields.map(({ name, type, isShownOnCard }: any) => [name, type, isShownOnCard])).toEqual(
      [
        ["Size", "select", true],
        ["Customer", "text", false],
        ["Effort", "number", true],
        ["Launch", "date", true],
        ["Approved", "checkbox", true],
      ],
    );
    expect(fields[0].options.map(({ name, colourCode }: any) => [name, colourCode])).toEqual([
      ["Small", "#94c748"],
      ["Large", "#f87168"],
      ["Unknown", null],
    ]);
    expect(values).toEqual([
      { Size: "Large", Customer: "Ada & Sons", Effort: -2.5, Launch: moment, Approved: true },
      { Size: "Small", Effort: 0, Approved: false },
    ]);
    expect(done.counts).toMatchObject({
      field: { found: 5, created: 5 },
      fieldOption: { found: 3, created: 3 },
      cardField: { found: 8, created: 8 },
    });
    expect(done.issues.filter(({ kind }: any) => /field/i.test(kind))).toEqual([]);
    expectSums(done);

    const again = await importFile(app(), home, source);
    expect(again.counts).toMatchObject({
      field: { found: 5, alreadyThere: 5 },
      fieldOption: { found: 3, alreadyThere: 3 },
      cardField: { found: 8, alreadyThere: 8 },
    });
  },
);

test("what a field refuses is reported with its card and its field, and counted", async () => {
  const done = await importFile(
    app(),
    home,
    board({
      lists: [list(1)],
      customFields: [
        field(1, "list", { name: "Size", options: [...sizes, { id: "\0" }] }),
        field(2, "text", { name: "Customer" }),
        field(3, "number", { name: "Effort" }),
        field(4, "date", { name: "Launch" }),
        field(5, "checkbox", { name: "Approved" }),
        field(6, "hologram", { name: "Future" }),
      ],
      cards: [
        card(1, {
          customFieldItems: [
            fieldItem(1, 1, { idValue: "gone" }),
            fieldItem(2, 2, { value: { text: "é".repeat(1_001) } }),
            fieldItem(3, 3, { value: { number: "many" } }),
            fieldItem(4, 4, { value: { date: "tomorrow" } }),
            fieldItem(5, 5, { value: { checked: "perhaps" } }),
            fieldItem(6, 6, { value: { light: "on" } }),
            fieldItem(7, 99, { value: { text: "lost" } }),
            fieldItem(8, 3, { value: null }),
            "nothing",
          ],
        }),
        card(2, {
          customFieldItems: [
            fieldItem(9, 2, { value: { text: "é".repeat(1_000) } }),
            fieldItem(10, 2, { value: { text: "twice" } }),
          ],
        }),
      ],
    }),
  );
  const { values } = await fieldsOf(done);
  expect(values).toEqual([{}, { Customer: "é".repeat(1_000) }]);
  expect(done.counts).toMatchObject({
    field: { found: 6, created: 5, leftOut: 1 },
    fieldOption: { found: 4, created: 3, leftOut: 1 },
    cardField: { found: 11, created: 1, leftOut: 10 },
  });
  expectSums(done);
  const lost = done.issues.filter(({ kind }: any) => kind === "cardField");
  expect(lost.map(({ name, reason }: any) => `${name}: ${reason}`.slice(0, 90)).toSorted()).toEqual(
    [
      "Card 1: It does not have the format that Trello writes.",
      "Card 1: It has no value: Effort: ",
      "Card 1: Its field was not imported: an unknown field: lost",
      "Card 1: Its field was not imported: an unknown field: on",
      `Card 1: A text in a field has at most 1,000 characters: Customer: ${"é".repeat(24)}`,
      "Card 1: The field expects a date: Launch: tomorrow",
      "Card 1: The field expects a number: Effort: many",
      "Card 1: The field expects true or false: Approved: perhaps",
      "Card 1: The field has no such option: Size: gone",
      "Card 2: The card has another value in this field: Customer: twice",
    ].toSorted(),
  );
});

test("fields beyond 50 and options beyond 100 are left out, also when they come later", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);
  const source = board({
    lists: [list(1)],
    customFields: [
      field(1, "list", { options: many(99).map((nth) => option(nth, `Option ${nth}`)) }),
      ...many(51).map((nth) => field(nth + 1, "number")),
    ],
    cards: [
      card(1, {
        customFieldItems: [
          fieldItem(1, 50, { value: { number: "1" } }),
          fieldItem(2, 51, { value: { number: "2" } }),
        ],
      }),
    ],
  });
  const done = await importFile(app(), home, source);
  expect(done.counts).toMatchObject({
    field: { found: 52, created: 50, leftOut: 2 },
    fieldOption: { found: 99, created: 99 },
    cardField: { found: 2, created: 1, leftOut: 1 },
  });
  const reasonOf = (kind: string) => done.issues.find((one: any) => one.kind === kind)?.reason;
  expect(reasonOf("field")).toContain("at most 50 custom fields");
  expect(reasonOf("cardField")).toContain("Field 51: 2");

  source.customFields[0].options.push(
    ...many(103)
      .slice(99)
      .map((nth) => option(nth, `N ${nth}`)),
  );
  const later = await importFile(app(), home, source);
  expect(later.counts.fieldOption).toMatchObject({
    found: 103,
    created: 1,
    alreadyThere: 99,
    leftOut: 3,
  });
  const shown = await boardOf(home, done.boards[0].publicId);
  expect(shown.fields[0].options.at(-1).name).toBe("N 100");
  expectSums(later);
});

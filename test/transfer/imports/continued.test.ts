import { expect, test } from "vitest";
import type { ImportContext } from "../../../src/transfer/imports/job/context.ts";
import { SourceBusy } from "../../../src/transfer/imports/job/failure.ts";
import type { SourceImport } from "../../../src/transfer/imports/job/sources.ts";
import { writeBoard } from "../../../src/transfer/imports/write/board.ts";
import { writeCards } from "../../../src/transfer/imports/write/cards.ts";
import { timesOf, type SourceCard } from "../../../src/transfer/imports/write/source.ts";
import { recordedWriter } from "../../../src/transfer/imports/write/step.ts";
import { workspace } from "../../../src/transfer/imports/workspace/run.ts";
import { stored } from "../../domain/attachments/files.ts";
import { fetched } from "../exports/fetching.ts";
import { makeRich } from "../exports/rich.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { importFile, read } from "./importing.ts";
import { send } from "./sending.ts";
import { begin, runWith } from "./source.ts";
import { board, card, idOf, kinds, label, list } from "./trello-objects.ts";

const app = useApp({ isolated: true });

const undated = { startDate: null, dueDate: null, completedAt: null, archivedAt: null };
const titled = { title: "Card", description: null, comments: [], issues: [], ...timesOf() };
const bare = { labelPublicIds: [], memberPublicIds: [], people: [], checklists: [] };
const firstList = { publicId: "l1", name: "L", archivedAt: null, wipLimit: null, ...timesOf() };
const linked = { contentType: "text/uri-list", size: null, sha256: null, ...timesOf() };

test("a run that continues an import retains what earlier runs have reported", async () => {
  const home = await makeWorkspace(app());
  const { memberPublicId } = await join(app(), home, "member");
  const person = await app().db.reader.member.findUniqueOrThrow({
    where: { publicId: memberPublicId },
    select: { id: true, publicId: true },
  });
  const url = "https://example.com/file";
  const named = { kind: "file" as const, filename: "file", file: "file" };
  const file = { publicId: "a1", url, ...named, ...linked };
  const assigned = { memberPublicId: "p1", completedAt: null, dueDate: null, ...timesOf() };
  const items = [{ publicId: "i1", title: "Item", ...assigned }];
  const checklists = [{ publicId: "k1", name: "Steps", items, ...timesOf() }];
  const more = { ...bare, memberPublicIds: ["p1"], attachments: [file], checklists };
  const of = { publicId: "c1", listPublicId: "l1" };
  const cards: SourceCard[] = [{ ...of, ...titled, ...undated, ...more }];
  const source = { publicId: "b1", name: "B", description: null, archivedAt: null, labels: [] };
  const members = new Map([["p1", person]]);
  const creating = async (run: ImportContext) => {
    const hidden = {
      ...source,
      ...timesOf(),
      lists: [firstList],
      visibility: "restricted" as const,
    };
    const writer = await writeBoard(recordedWriter(run, members), hidden);
    await writeCards(writer, [{ cards, before: null, after: null }]);
  };
  const id = await begin(app(), home);
  await runWith(app(), async (run) => {
    await creating(run);
    throw new SourceBusy(60_000, "limit", "It is busy.");
  });
  const before = await read(home, id);
  expect(before.issues.map(({ kind }: any) => kind)).toEqual([
    "cardMember",
    "checklistItem",
    "attachment",
  ]);
  app().advance(60_000);
  await runWith(app(), creating);
  const done = await read(home, id);
  expect(done.status).toBe("completed");
  expect(done.issues).toEqual(before.issues);
  expect(done.counts).toEqual(before.counts);
  expect(done.counts.cardMember).toMatchObject({ found: 1, created: 0, leftOut: 1 });
});

test("an import of an archive that continues stores each file of it once", async () => {
  const rich = await makeRich(app());
  const path = `/workspaces/${rich.workspace.publicId}/export?files=true`;
  const archive = await fetched(app(), rich.admin.token, path);
  await send(app(), rich.admin, archive.bytes);
  const run: SourceImport = async (context, input) => {
    await workspace(context, input);
    throw new SourceBusy(60_000, "limit", "It is busy.");
  };
  await runWith(app(), run);
  const first = (await stored(app())).length;
  app().advance(60_000);
  await runWith(app(), run);
  expect((await stored(app())).length).toBe(first);
});

const long = "x".repeat(250);
const many = (of: (nth: number) => object): any[] =>
  Array.from({ length: 200 }, (_, nth) => of(nth));
const url = `https://example.com/${long}`;
const texts: Record<
  string,
  { description?: string; lists?: any[]; labels?: any[]; files?: any[] }
> = {
  "the description of a board": { description: long.repeat(200) },
  "the names of lists": {
    lists: many((nth) => ({ ...firstList, publicId: `m${nth}`, name: long })),
  },
  "the names of labels": {
    labels: many((nth) => ({ publicId: `g${nth}`, name: long.slice(0, 36), colourCode: null })),
  },
  "the URLs of attachments": {
    files: many((nth) => {
      return { publicId: `a${nth}`, kind: "link", filename: "Link", url, file: null, ...linked };
    }),
  },
};

test.each(Object.entries(texts))("%s count for the text of the day", async (kind, of) => {
  const home = await makeWorkspace(app());
  const { id } = await app().db.reader.user.findUniqueOrThrow({
    where: { email: home.admin.email },
  });
  const { limits, config } = app().deps;
  await limits.texts.spend(String(id), config.TEXT_PER_DAY * 1024 * 1024 - 15_000);
  const started = await begin(app(), home, kind, "github");
  const { description = null, lists = [], labels = [], files: attachments = [] } = of;
  const ids = { publicId: "c1", listPublicId: "l1" };
  const cards: SourceCard[] = [{ ...ids, ...titled, ...undated, ...bare, attachments }];
  await runWith(app(), async (run) => {
    const source = { publicId: kind, name: "B", description, archivedAt: null, labels };
    const whole = { ...source, ...timesOf(), lists: [firstList, ...lists] };
    const writer = await writeBoard(recordedWriter(run), whole);
    await writeCards(writer, [{ cards, before: null, after: null }]);
  });
  expect(await read(home, started)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("reached its daily limit"),
  });
});

test("a label that a card got at the source since its import is reported", async () => {
  const home = await makeWorkspace(app());
  const labelled = (...idLabels: string[]) =>
    board({ lists: [list(1)], labels: [label(1), label(2)], cards: [card(1, { idLabels })] });
  const [one, two] = [idOf(kinds.label, 1), idOf(kinds.label, 2)];
  await importFile(app(), home, labelled(one));
  const { counts, issues } = await importFile(app(), home, labelled(one, two));
  expect(counts.cardLabel).toMatchObject({ found: 2, alreadyThere: 1, leftOut: 1 });
  expect(issues.filter(({ kind }: any) => kind === "cardLabel")).toMatchObject([
    { reason: "The labels, members and fields of a card that was imported before do not change." },
  ]);
});

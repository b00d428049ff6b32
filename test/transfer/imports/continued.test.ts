import { expect, test } from "vitest";
import type { ImportContext } from "../../../src/transfer/imports/job/context.ts";
import { SourceBusy } from "../../../src/transfer/imports/job/failure.ts";
import { writeBoard } from "../../../src/transfer/imports/write/board.ts";
import { writeCards } from "../../../src/transfer/imports/write/cards.ts";
import type { SourceCard } from "../../../src/transfer/imports/write/model.ts";
import { recordedWriter } from "../../../src/transfer/imports/write/recorded.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { importFile, read } from "./importing.ts";
import { begin, runWith } from "./source.ts";
import { board, card, idOf, kinds, label, list } from "./trello-objects.ts";

const app = useApp({ isolated: true });

const undated = { startDate: null, dueDate: null, completedAt: null, archivedAt: null };
const titled = { title: "Card", description: null, labelIds: [], comments: [], issues: [] };

test("a run that continues an import keeps what earlier runs have reported", async () => {
  const home = await makeWorkspace(app());
  const { memberPublicId } = await join(app(), home, "member");
  const person = await app().db.reader.member.findUniqueOrThrow({
    where: { publicId: memberPublicId },
    select: { id: true, publicId: true },
  });
  const url = "https://example.com/file";
  const file = { sourceId: "a1", filename: "file", fileName: "file", url, file: null };
  const item = { sourceId: "i1", title: "Item", completedAt: null, dueDate: null, person };
  const checklists = [{ sourceId: "k1", name: "Steps", items: [item] }];
  const more = { members: [person], people: [], attachments: [file], checklists };
  const cards: SourceCard[] = [{ sourceId: "c1", listId: "l1", ...titled, ...undated, ...more }];
  const source = { sourceId: "b1", name: "B", description: null, archivedAt: null, labels: [] };
  const lists = [{ sourceId: "l1", name: "L", archivedAt: null }];
  const creating = async (run: ImportContext) => {
    const of = { ...source, lists, visibility: "restricted" as const };
    const writer = await writeBoard(recordedWriter(run), of);
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

test("a label that a card got at the source since its import is reported", async () => {
  const home = await makeWorkspace(app());
  const labelled = (...idLabels: string[]) =>
    board({ lists: [list(1)], labels: [label(1), label(2)], cards: [card(1, { idLabels })] });
  const [one, two] = [idOf(kinds.label, 1), idOf(kinds.label, 2)];
  await importFile(app(), home, labelled(one));
  const { counts, issues } = await importFile(app(), home, labelled(one, two));
  expect(counts.cardLabel).toMatchObject({ found: 2, alreadyThere: 1, leftOut: 1 });
  expect(issues.filter(({ kind }: any) => kind === "cardLabel")).toMatchObject([
    { reason: "A card that was imported before keeps its labels and members." },
  ]);
});

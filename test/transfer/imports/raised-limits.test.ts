import { expect, test } from "vitest";
import { defaultLimits } from "../../../src/contract/limits.ts";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { exported } from "../exports/fetching.ts";
import { minimalDocument } from "../exports/minimal.ts";
import { bring } from "./sending.ts";

const { lists, labels, checklists, checklist_items: items, attachments } = defaultLimits;
const raised = Object.entries({ lists, labels, checklists, checklist_items: items, attachments })
  .map(([name, limit]) => `${name}=${limit + 1}`)
  .join();
const app = useApp({ isolated: true, env: { LIMITS: raised } });

const idOf = (kind: string, nth: number) => `${kind}${String(nth).padStart(12 - kind.length, "0")}`;
const parts = <Part extends object>(kind: string, limit: number, part: Part) =>
  Array.from({ length: limit + 1 }, (_, nth) => ({ publicId: idOf(kind, nth), ...part }));

test("a workspace at raised limits is imported whole, and exported so that it can be again", async () => {
  const user = await makeUser(app());
  const base = minimalDocument();
  const at = { createdAt: base.exportedAt, updatedAt: base.exportedAt };
  const [board] = base.boards;
  const [card] = base.cards;
  const [list] = board?.lists ?? [];
  const steps = parts("check", checklists, { name: "Steps", ...at, items: [] as object[] });
  const item = { title: "Item", completedAt: null, dueDate: null, memberPublicId: null, ...at };
  if (steps[0] !== undefined) steps[0].items = parts("item", items, item);
  const link = { kind: "link", filename: "Link", contentType: "text/uri-list", ...at };
  const links = { ...link, size: null, sha256: null, file: null, url: "https://example.com/" };
  const boardLabels = parts("label", labels, { name: "Label", colourCode: null });
  const columns = parts("list", lists, Object(list)).map((one, nth) => {
    return { ...one, publicId: idOf("list", nth) };
  });
  const full = {
    ...card,
    listPublicId: idOf("list", 0),
    labelPublicIds: boardLabels.map(({ publicId }) => publicId),
    checklists: steps,
    attachments: parts("link", attachments, links),
  };
  const counts = {
    ...base.counts,
    lists: lists + 1,
    labels: labels + 1,
    cards: 1,
    checklists: checklists + 1,
    checklistItems: items + 1,
    attachments: attachments + 1,
  };
  const boards = [{ ...board, lists: columns, labels: boardLabels }];
  const done = await bring(app(), user, { ...base, boards, cards: [full], counts });
  expect(done).toMatchObject({ status: "completed" });
  const again = await exported(app(), user.token, done.workspacePublicId);
  const { roles: _roles, members: _members, ...kinds } = counts;
  expect(again.counts).toMatchObject(kinds);
  expect(again.cards[0].labelPublicIds).toHaveLength(labels + 1);
});

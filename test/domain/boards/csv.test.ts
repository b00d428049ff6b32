import { beforeAll, describe, expect, test } from "vitest";
import type { Permission } from "../../../src/contract/vocabulary/permissions.ts";
import { cardParts } from "../../../src/domain/parts/card.ts";
import { columns } from "../../../src/transfer/exports/csv.ts";
import { setOverride } from "../../kernel/access/membership.ts";
import { fetched } from "../../transfer/exports/fetching.ts";
import { fill } from "../../transfer/exports/many.ts";
import { makeRich, strange, type Rich } from "../../transfer/exports/rich.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, type User } from "../../support/make.ts";

const app = useApp();
let rich: Rich;
beforeAll(async () => {
  rich = await makeRich(app());
});

type Line = Record<(typeof columns)[number], string>;

/** Reads CSV as RFC 4180 has it. */
function parse(text: string): string[][] {
  const lines: string[][] = [[]];
  let rest = text;
  while (rest !== "") {
    const [whole = "", quoted, plain, end] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/.exec(rest) ?? [];
    if (whole === "") throw new Error(`This is no CSV: ${JSON.stringify(rest.slice(0, 50))}`);
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    rest = rest.slice(whole.length);
    if (end === "\r\n" && rest !== "") lines.push([]);
  }
  return lines;
}

async function linesOf(board: string, query = "", user: User = rich.admin): Promise<Line[]> {
  const { status, text } = await fetched(app(), user.token, `/boards/${board}/cards.csv${query}`);
  if (status !== 200) throw new Error(text);
  const [head = [], ...lines] = parse(text.replace("\uFEFF", ""));
  expect(head.filter((name) => !name.startsWith("fields."))).toEqual([...columns]);
  return lines.map((line) => Object.fromEntries(line.map((cell, at) => [head[at], cell])) as Line);
}

/** The columns that need another permission than the board, and which. */
const needing: [name: string, permission: Permission][] = [
  ["list", "list:view"],
  ["comments", "comment:view"],
];

describe("the cards of a board as CSV", () => {
  test("are a file in UTF-8 with a byte order mark, one line a card", async () => {
    const { headers, bytes } = await fetched(
      app(),
      rich.admin.token,
      `/boards/${rich.boards.main}/cards.csv`,
    );
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toContain('filename="main-board.csv"');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(await linesOf(rich.boards.main)).toHaveLength(14);
  });

  test("are in the order of the board, and pass its filters", async () => {
    const { main } = rich.boards;
    for (const query of [
      "",
      "?archived=true",
      "?due=none",
      `?members=${rich.helper.memberPublicId}`,
    ]) {
      const { body } = await rich.admin.rest.get(`/boards/${main}/cards${query || "?"}&limit=100`);
      const lines = await linesOf(main, query);
      expect(lines.map(({ publicId }) => publicId)).toEqual(
        body.items.map((card: { publicId: string }) => card.publicId),
      );
    }
  });

  test("have every column as the card has it", async () => {
    const lines = await linesOf(rich.boards.main);
    const line = lines.find(({ publicId }) => publicId === rich.cards.full);
    const { body } = await rich.admin.rest.get(`/cards/${rich.cards.full}`);
    expect(line).toEqual({
      cardNumber: body.cardNumber,
      title: `'${body.title}`,
      description: `'${body.description}`,
      list: "Doing",
      labels: body.labels
        // A name that could be taken for several is in quotes.
        .map(({ name }: any) => (/[,;"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
        .join(", "),
      members: body.members.map(({ name }: any) => name).join(", "),
      priority: body.priority,
      startDate: body.startDate,
      dueDate: body.dueDate,
      completedAt: "",
      archivedAt: "",
      checklistItems: "3",
      checklistItemsCompleted: "1",
      comments: "3",
      attachments: "2",
      createdAt: body.createdAt,
      updatedAt: body.updatedAt,
      publicId: rich.cards.full,
      "fields.Size (select)": "S",
      "fields.Tags (multiSelect)": `S, "${strange.slice(0, 30).trim().replaceAll('"', '""')}"`,
      "fields.Effort (number)": "1.5",
      [`fields.${strange.slice(0, 40).trim()} (text)`]: `'${strange}`,
      "fields.When (date)": "0099-12-31T21:59:59.999Z",
      "fields.Ready (checkbox)": "false",
      "fields.Owner (member)": "A member",
      "fields.Link (url)": `https://example.com/?a=1&b="2"`,
    });
    expect(body.title).toContain(strange.trim());
  });

  test("have no cell that a spreadsheet takes for a formula", async () => {
    const board = await makeBoard(rich.workspace, { lists: ["@list"], labels: 0 });
    const starts = ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"];
    for (const start of starts) {
      const fields = {
        title: `x${start}`,
        description: `${start}cmd|' /C calc'!A0`,
        listPublicId: board.lists[0],
      };
      await rich.admin.rest.post("/cards", fields);
    }
    const lines = await linesOf(board.publicId);
    expect(lines.map(({ description }) => description)).toEqual(
      starts.map((start) => `'${start}cmd|' /C calc'!A0`),
    );
    expect(lines[0]?.list).toBe("'@list");
  });

  test("are all there, however many they are", async () => {
    const board = await makeBoard(rich.workspace, { lists: ["Long", "Short"], labels: 0 });
    await fill(app(), board.lists[0] ?? "", { cards: 1_001, comments: 1 });
    const lines = await linesOf(board.publicId);
    expect(lines.map(({ title }) => title)).toEqual(
      Array.from({ length: 1_001 }, (_, n) => `Card ${n + 1}`),
    );
    expect(new Set(lines.map(({ comments }) => comments))).toEqual(new Set(["1"]));
  });

  test("of a board without cards are the names of the columns", async () => {
    const board = await makeBoard(rich.workspace);
    expect(await linesOf(board.publicId)).toEqual([]);
  });

  test("of a restricted board are for those who are on it", async () => {
    const guest = await join(app(), rich.workspace, "guest");
    const status = async (user: User) =>
      (await fetched(app(), user.token, `/boards/${rich.boards.secret}/cards.csv`)).status;
    expect(await status(guest)).toBe(403);
    expect(await status(rich.helper)).toBe(200);
    expect(await linesOf(rich.boards.main, "", guest)).toHaveLength(14);
  });

  test.each(needing)("have no %s for those who lack %s", async (name, permission) => {
    const member = await join(app(), rich.workspace, "member");
    const cells = async () => {
      const lines = await linesOf(rich.boards.main, "", member);
      return lines.filter((line) => !["", "0", undefined].includes(line[name])).length;
    };
    expect(await cells()).toBeGreaterThan(0);
    await setOverride(app(), member.memberPublicId, permission, false);
    expect(await cells()).toBe(0);
  });

  test("are tested with each column of a part that needs such a permission", () => {
    const declared = Object.values<{ csv: { columns: readonly string[]; needs?: Permission } }>(
      cardParts,
    ).flatMap(({ csv: { columns: own, needs = "board:view" } }) =>
      own.flatMap((name) => (needs === "board:view" ? [] : [[name, needs]])),
    );
    expect(needing).toEqual(expect.arrayContaining(declared));
  });

  test("are, over tRPC, where to get them", async () => {
    const { url } = await rich.admin.trpc.board.exportCsv.query({
      boardPublicId: rich.boards.main,
    });
    expect(url).toMatch(new RegExp(`/api/v1/boards/${rich.boards.main}/cards\\.csv$`));
  });
});

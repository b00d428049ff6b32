import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useService } from "../e2e/service.ts";
import { installClient } from "./installation.ts";

const run = promisify(execFile);
const service = useService();
let project: string;

beforeAll(async () => {
  project = await installClient(service());
});

afterAll(() => rm(project, { recursive: true }));

/**
 * The compiler's errors in programs of a strict project: those in each of the wrong ones, and those
 * elsewhere. The compiler reads the types of the package once for all programs.
 */
async function compile<Name extends string>(
  right: Record<Name, string>,
  wrong: Record<Name, string>,
  module: "nodenext" | "preserve",
) {
  const names = Object.keys(right) as Name[];
  const files = names.flatMap((name) => [`${name}.ts`, `wrong-${name}.ts`]);
  for (const name of names) {
    await writeFile(join(project, `${name}.ts`), right[name]);
    await writeFile(join(project, `wrong-${name}.ts`), wrong[name]);
  }
  const resolution = module === "preserve" ? "bundler" : "nodenext";
  const options = `--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes
    --module ${module} --moduleResolution ${resolution} --target es2023 --lib esnext,dom`;
  // With the compiler that editors have, and with its native successor, which is much faster.
  const tsc = module === "preserve" ? "@typescript/native-preview/bin/tsgo" : "typescript/bin/tsc";
  const args = [resolve("node_modules", tsc), ...options.split(/\s+/), ...files];
  const output = await run(process.execPath, args, { cwd: project }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
  const errors = output.split("\n").filter((line) => line.includes("error TS"));
  const within = (name: Name) => errors.filter((line) => line.startsWith(`wrong-${name}.ts(`));
  const inWrong = Object.fromEntries(names.map((name) => [name, within(name)]));
  const others = errors.filter((line) => !line.startsWith("wrong-"));
  return { inWrong: inWrong as Record<Name, string[]>, others };
}

const session = (url: string) => `
  import { createClient, isNotFound, newPublicId, paginate, type Card } from "@workspace-board-service/client";

  const boards = createClient({ url: ${JSON.stringify(url)} });
  await boards.account.register({ email: "packed@example.com", password: "correct horse battery staple", name: "Ada" });
  const { publicId: workspacePublicId } = await boards.workspace.create({ name: "Engines" });
  const board = await boards.board.create({ workspacePublicId, name: "Website", lists: ["To do"] });
  const list = board.lists[0];
  if (list === undefined) throw new Error("The board has no list.");
  const live = boards.events(workspacePublicId, { types: ["card.created"], onConnection: () => void create() });
  const create = async () => boards.card.create({ listPublicId: list.publicId, title: "First" });
  const { value: event } = await live.next();
  const titles: string[] = [];
  const overdue = paginate(boards.board.cards, { boardPublicId: board.publicId, due: "overdue" });
  for await (const card of overdue) titles.push(card.title);
  for await (const card of paginate(boards.board.cards, { boardPublicId: board.publicId })) titles.push(card.title);
  const card: Card = await boards.card.get({ cardPublicId: (await boards.board.get({ boardPublicId: board.publicId })).lists[0]?.cards[0]?.publicId ?? "" });
  const missing = await boards.card.get({ cardPublicId: newPublicId() }).catch((error: unknown) => isNotFound(error));
  if (event?.type === "card.created") event.data.card.title.trim();
  if (event?.type === "card.moved") event.data.to?.index.toFixed();
  console.log(JSON.stringify([event?.type, titles, card.title, missing]));
  process.exit(0);
`;

const app = `
  import { createElement } from "react";
  import { createClient } from "@workspace-board-service/client";
  import { createStore, type BoardView, type CardView } from "@workspace-board-service/client/store";
  import { StoreProvider, useBoard, useCard } from "@workspace-board-service/client/react";
  import { dehydrate, sessionCookies, type CookieJar } from "@workspace-board-service/client/server";

  export const load = async (jar: CookieJar, boardPublicId: string) =>
    dehydrate({ board: await sessionCookies({ url: "" }).client(jar).board.get({ boardPublicId }) });
  const store = createStore(createClient({ url: "http://127.0.0.1:3000" }), { onFailure: ({ error }) => error.code });
  export function Page({ id }: { id: string }) {
    const { board, cards, on } = useBoard(id, { filter: { field: "dueDate", op: "lt", value: "now" } });
    const { card } = useCard(id);
    on("card.moved", ({ data }) => data.to?.index.toFixed());
    const view: BoardView | undefined = board;
    const first: CardView | undefined = view?.lists[0]?.cards[0];
    if (first !== undefined) cards.move(first.publicId, { index: 0 }).undo?.();
    return card?.comments[0]?.comment ?? first?.title;
  }
  export const App = () => createElement(StoreProvider, { store }, createElement(Page, { id: "1" }));
`;

const collections = `
  import { createCollection, createLiveQueryCollection, eq } from "@tanstack/db";
  import { createClient } from "@workspace-board-service/client";
  import { createStore } from "@workspace-board-service/client/store";
  import { cardCollectionOptions, listCollectionOptions, newCardRow } from "@workspace-board-service/client/tanstack-db";

  const store = createStore(createClient({ url: "http://127.0.0.1:3000" }));
  const cards = createCollection(cardCollectionOptions(store, "board"));
  const lists = createCollection(listCollectionOptions(store, "board"));
  export const open = createLiveQueryCollection((q) => q
    .from({ card: cards })
    .join({ list: lists }, ({ card, list }) => eq(card.listPublicId, list.publicId))
    .where(({ card }) => eq(card.isComplete, false))
    .select(({ card, list }) => ({ title: card.title, list: list?.name })));
  cards.insert(newCardRow({ listPublicId: "list", title: "First" }));
  cards.update("card", (draft) => { draft.title = "Renamed"; });
  export const title: string | undefined = cards.get("card")?.title;
`;

const typedSession = `declare const process: { exit(code: number): never };
  ${session("http://127.0.0.1:3000")}`;
const right = { program: typedSession, app, collections };
const wrong = {
  program: typedSession.replace('title: "First"', "name: 1"),
  app: app.replace("index: 0", "at: 0"),
  collections: collections.replace('title: "First"', "name: 1"),
};

describe.each(["nodenext", "preserve"] as const)("a strict project (module %s)", (module) => {
  let found: Awaited<ReturnType<typeof compile<keyof typeof right>>>;
  beforeAll(async () => {
    found = await compile(right, wrong, module);
  });

  test("compiles with it, its own types included", () => {
    // The types of @tanstack/db do not compile with exactOptionalPropertyTypes.
    expect(found.others.filter((line) => !line.includes("@tanstack/db/"))).toEqual([]);
    expect(found.inWrong.program).not.toEqual([]);
  });

  test("compiles with the store, the hooks, the server and the collections", () => {
    expect(found.inWrong.app).not.toEqual([]);
    expect(found.inWrong.collections).toHaveLength(1);
  });
});

test("a program runs with it against a real service", async () => {
  const program = session(service())
    .replace(", type Card", "")
    .replaceAll(/: Card|: string\[\]|: unknown/g, "");
  await writeFile(join(project, "program.js"), program);
  const { stdout } = await run(process.execPath, ["program.js"], { cwd: project });
  expect(JSON.parse(stdout)).toEqual(["card.created", ["First"], "First", true]);
});

test("the package has no server code and no other dependency", async () => {
  const client = join(project, "node_modules/@workspace-board-service/client");
  const { dependencies } = JSON.parse(await readFile(join(client, "package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(["@trpc/client", "@trpc/server"]);
  const files = await readdir(client, { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const code = await readFile(join(client, file), "utf8");
    expect(code).not.toContain("sourceMappingURL");
    const imports = code.match(/from "([^"]+)"/g) ?? [];
    for (const one of imports) {
      expect(one).toMatch(
        /^from "(\.\.?\/(?:\.\.\/)?(?:[a-z]+\/)*[a-z-]+\.js|@trpc\/client|react)"$/,
      );
    }
  }
});

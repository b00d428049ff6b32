import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { createTRPCClient, httpBatchLink } from "@trpc/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AppRouter } from "../../src/app/router/index.ts";
import { snippet } from "../support/snippet.ts";
import { useService } from "./service.ts";

const service = useService();
const here = process.cwd();
let project: string;
let oldProject: string;
let types: string;

/** A frontend with the served types. */
async function makeProject(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "board-frontend-"));
  await mkdir(join(made, "node_modules"));
  await symlink(join(here, "node_modules/eventsource"), join(made, "node_modules/eventsource"));
  await writeFile(join(made, "board-service.d.ts"), types);
  await writeFile(join(made, "package.json"), `{ "type": "module" }`);
  return made;
}

beforeAll(async () => {
  types = await (await fetch(`${service()}/docs/client.d.ts`)).text();
  project = await makeProject();
  await symlink(join(here, "node_modules/@trpc"), join(project, "node_modules/@trpc"));
  oldProject = await makeProject();
  for (const name of ["client", "server"]) {
    const from = join(here, `node_modules/trpc-${name}-minimum`);
    await cp(from, join(oldProject, "node_modules/@trpc", name), { recursive: true });
  }
});
afterAll(async () => {
  for (const made of [project, oldProject]) await rm(made, { recursive: true });
});

/** The compiler's output for a frontend program. */
async function compile(program: string, cwd = project): Promise<string> {
  await writeFile(join(cwd, "program.ts"), program);
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
  const lib = ["--lib", "esnext,dom"];
  return promisify(execFile)(
    process.execPath,
    [
      join(here, "node_modules/@typescript/native-preview/bin/tsgo"),
      ...options,
      ...lib,
      "program.ts",
    ],
    { cwd },
  ).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** The program of docs/trpc.md with this text. */
const programWith = async (text: string): Promise<string> =>
  (await snippet("docs/trpc.md", "ts", text))
    .replaceAll("process.env.TOKEN", `"token"`)
    .replace('process.env.WORKSPACE ?? ""', `"workspace"`);

/** A program that reads an item of the stream: its types must not be `any`. */
const streamProgram = async () =>
  (await programWith("workspace.stream")).replace(
    "console.log(id, data.type)",
    "{ const known: string = id; const wrong: number = data.type; void [known, wrong]; }",
  );

test("the program of docs/trpc.md compiles with only the served types and tRPC's packages", async () => {
  const program = await programWith("card.create");
  expect(program).toContain("board-service.d.ts");
  expect(await compile(program)).toBe("");
});

test("and a wrong input or output does not compile", async () => {
  const program = (await programWith("card.create"))
    .replace("board.lists[0]!.publicId", "board.cards")
    .replace("title:", "tittle:");
  const faults = await compile(program);
  expect(faults).toContain("'cards' does not exist");
  expect(faults).toContain("'tittle' does not exist");
});

test("the minimum version of docs/trpc.md compiles the program and calls the service", async () => {
  const { version } = JSON.parse(
    await readFile(join(oldProject, "node_modules/@trpc/client/package.json"), "utf8"),
  );
  expect(version).toBe("11.4.0");
  expect(await readFile("docs/trpc.md", "utf8")).toContain("`@trpc/client` 11.4 or newer");
  for (const cwd of [project, oldProject]) {
    expect(await compile(await programWith("card.create"), cwd)).toBe("");
    const faults = (await compile(await streamProgram(), cwd)).trim().split("\n");
    expect(faults.filter((line) => line.includes("error TS"))).toEqual([
      expect.stringMatching(/^program\.ts.* is not assignable to type 'number'/),
    ]);
  }
  const file = join(oldProject, "node_modules/@trpc/client/dist/index.mjs");
  const old: { createTRPCClient: typeof createTRPCClient; httpBatchLink: typeof httpBatchLink } =
    await import(pathToFileURL(file).href);
  const links = [old.httpBatchLink({ url: `${service()}/trpc` })];
  const client = old.createTRPCClient<AppRouter>({ links });
  expect(await client.health.check.query()).toMatchObject({ status: "ok" });
});

/** The fields and procedures without a comment; those of tRPC itself are left out. */
function undocumented(): string[] {
  const ofRouter = /TRPCBuiltRouter<|^\s+(?:ctx|meta|errorShape|transformer|input|output): /;
  const lines = types.split("\n");
  return lines.filter(
    (line, index) =>
      /^\s+"?[\w-]+"?\??: /.test(line) &&
      !ofRouter.test(line) &&
      !lines[index - 1]?.trimEnd().endsWith("*/"),
  );
}

test("every procedure and every field has a doc comment", () => {
  expect(types).toContain("/** Add a card to a list. Adds a card at the end of a list");
  expect(types).toContain("/** The card prefix and number, such as `ENG-12`. */");
  expect(types).toContain("/** A notification of the caller. */");
  expect(undocumented()).toEqual([]);
});

test("resources and inputs have names", async () => {
  const program = `
    import type { Board, Card, CardSummary, CreateCardInput, Member } from "./board-service.d.ts";
    export const input: CreateCardInput = { listPublicId: "z7c4n9f3j1y6", title: "Plant" };
    export const title = (card: Card): string => card.title;
    export const labels = (card: CardSummary): { name: string }[] => card.labels;
    export const lists = (board: Board): number => board.lists.length;
    export const email = (member: Member): string | null => member.email;`;
  expect(await compile(program)).toBe("");
});

test("an operation takes and returns over tRPC what the document says", async () => {
  const program = `
    import type { AnyProcedure, inferProcedureInput, inferProcedureOutput } from "@trpc/server";
    import type { AppRouter } from ${JSON.stringify(join(here, "dist/app/router/index.js"))};
    import type { AppRouter as Described } from "./board-service.d.ts";
    // The document does not say that a list is only read.
    type Mutable<T> = T extends readonly (infer Item)[]
      ? Mutable<Item>[]
      : T extends object ? { -readonly [Name in keyof T]: Mutable<T[Name]> } : T;
    type Takes<A, B> = A extends AnyProcedure ? B extends AnyProcedure
      ? Mutable<inferProcedureInput<A>> extends inferProcedureInput<B> ? true : false : false : false;
    type Both<X, Y> = [X] extends [Y] ? ([Y] extends [X] ? true : false) : false;
    type Returns<A, B> = A extends AnyProcedure ? B extends AnyProcedure
      ? Both<inferProcedureOutput<A>, inferProcedureOutput<B>> : false : false;
    type Different<A, B> = {
      [R in keyof A & keyof B & string]: {
        [V in keyof A[R] & keyof B[R] & string]:
          [Takes<A[R][V], B[R][V]>, Returns<A[R][V], B[R][V]>] extends [true, true] ? never : \`\${R}.\${V}\`;
      }[keyof A[R] & keyof B[R] & string];
    }[keyof A & keyof B & string];
    declare const different: Different<AppRouter["_def"]["record"], Described["_def"]["record"]>;
    // The document has one schema for the events of cards that move within a workspace and out of it.
    export const events: "user.stream" | "workspace.events" | "workspace.stream" = different;
    export const none: never = different;`;
  // The last line does not compile, so the names above are what differs, not an unknown type.
  const faults = (await compile(program)).split("\n");
  const last = program.split("\n").length;
  expect(faults.filter((line) => line.startsWith("program.ts"))).toEqual([
    expect.stringContaining(`program.ts(${last},`),
  ]);
});

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transpile, ModuleKind } from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { snippet } from "../support/snippet.ts";
import { useService } from "./service.ts";

type Any = any;

const service = useService();
const run = promisify(execFile);
let project: string;
let pages: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "board-snippets-"));
  const modules = join(project, "node_modules");
  await mkdir(join(modules, "@workspace-board-service"), { recursive: true });
  for (const name of packages) {
    await symlink(resolve("node_modules", name), join(modules, name)).catch(() => undefined);
  }
  await symlink(resolve("dist/client-package"), join(modules, "@workspace-board-service/client"));
  const types = await fetch(`${service()}/docs/client.d.ts`);
  await writeFile(join(project, "board-service.d.ts"), await types.text());
  await writeFile(join(project, "package.json"), `{ "type": "module" }`);
  await writeFile(join(project, "given.d.ts"), given);
  const docs = (await readdir("docs")).filter((name) => name.endsWith(".md"));
  pages = ["README.md", ...docs.map((name) => `docs/${name}`)];
});
afterAll(() => rm(project, { recursive: true }));

/** The packages that the snippets use. */
const packages = [
  "@standard-schema",
  "@tanstack",
  "@trpc",
  "@types",
  "csstype",
  "eventsource",
  "react",
  "standardwebhooks",
  "undici-types",
];

/**
 * What the snippets use without declaring it.
 *
 * `@trpc/tanstack-react-query` is not installed: its peers are exact versions of older releases.
 */
const given = `
declare module "@trpc/tanstack-react-query" {
  type Options = { readonly queryKey: readonly unknown[] };
  type Procedure = Record<"queryOptions" | "mutationOptions" | "queryFilter", (input?: object) => Options>;
  export const createTRPCOptionsProxy: <Router extends import("@trpc/server").AnyRouter>(from: object) => {
    [Resource in keyof import("@trpc/client").TRPCClient<Router>]: Record<string, Procedure>;
  };
}
declare const useQuery: (options: object) => object;
declare const useMutation: (options: object) => object;
declare const queryClient: { invalidateQueries(filter: object): Promise<void> };

declare const boards: ReturnType<typeof import("@workspace-board-service/client").createClient>;
declare const store: import("@workspace-board-service/client/store").Store;
declare const workspacePublicId: string;
declare const boardPublicId: string;
declare const cardPublicId: string;
declare const listPublicId: string;
declare const doneListPublicId: string;
declare const otherCardPublicId: string;
declare const labelPublicId: string;
declare const attachmentPublicId: string;
declare const file: File;
declare const user: { publicId: string };
declare const render: (board: object | undefined) => void;
`;

/** The TypeScript blocks of all pages, by file name. */
async function snippets(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const page of pages) {
    const text = await readFile(page, "utf8");
    for (const [nth, [, type = "", code = ""]] of [
      ...text.matchAll(/```(tsx?)\n([^]*?)```/g),
    ].entries()) {
      found.set(`${page.replace(/\W/g, "-")}-${nth}.${type}`, `${code}\nexport {};\n`);
    }
  }
  return found;
}

/** The compiler's output for files, by name. */
async function compile(found: Map<string, string>, others: string[] = []): Promise<string> {
  for (const [name, code] of found) await writeFile(join(project, name), code);
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--jsx",
    "react-jsx",
  ];
  const lib = ["--lib", "esnext,dom,dom.iterable,dom.asynciterable", "--types", "node"];
  const compiler = resolve("node_modules/.bin/tsgo");
  const files = [...found.keys(), ...others];
  const { stdout } = await run(compiler, [...options, ...lib, ...files], {
    cwd: project,
  }).catch((error: { stdout: string }) => error);
  return stdout;
}

/** The TypeScript that the reference page shows for each operation. */
async function samples(): Promise<Map<string, string>> {
  const file = pathToFileURL(resolve("reference/samples.js")).href;
  const { samplesOf } = await import(file);
  const response = await fetch(`${service()}/api/v1/openapi.json`);
  const { paths, components }: Any = await response.json();
  const named = (one: Any): Any =>
    one?.$ref === undefined
      ? one
      : one.$ref
          .split("/")
          .slice(2)
          .reduce((inside: Any, step: string) => inside[step], components);
  const found = new Map<string, string>();
  for (const [path, methods] of Object.entries<Any>(paths)) {
    for (const [method, operation] of Object.entries<Any>(methods)) {
      const id: string = operation.operationId;
      const entry = { id, path, method: method.toUpperCase(), operation };
      const { TypeScript, fetch: withFetch } = samplesOf(
        entry,
        { resolve: named },
        `${service()}/api/v1`,
      );
      found.set(`sample-${id}.ts`, `${TypeScript()}\nexport {};\n`);
      // In a strict project `body` can be null.
      if (!/TextDecoderStream/.test(withFetch()))
        found.set(`fetch-${id}.ts`, `${withFetch()}\nexport {};\n`);
    }
  }
  return found;
}

test("the reference page's TypeScript and fetch of every operation compile in a strict project, and declare all names", async () => {
  const found = await samples();
  expect(found.size).toBeGreaterThan(150);
  expect(await compile(found)).toBe("");
});

test("every TypeScript snippet of README and docs compiles in a strict project", async () => {
  const found = await snippets();
  expect(found.size).toBeGreaterThan(5);
  expect(await compile(found, ["given.d.ts"])).toBe("");
});

test("the recipe's backend signs in, forwards with the cookie, and signs out", async () => {
  const code = await snippet("docs/authentication-recipes.md", "ts", "jarOf(");
  const program = `${code.replace("http://127.0.0.1:3000", service())}
    const api = url + "/api/v1";
    const account = { email: "bff@example.com", password: "correct horse battery", name: "Ada" };
    const headers = { "Content-Type": "application/json" };
    await fetch(api + "/auth/register", { method: "POST", headers, body: JSON.stringify(account) });
    const request = (Cookie) => new Request("http://localhost/bff/api/v1/users/me", { headers: { Cookie } });
    const set = new Headers();
    await signIn(jarOf(request(""), set), account.email, account.password, "127.0.0.1");
    const cookie = set.getSetCookie()[0].split(";")[0];
    const { name } = await (await bff(request("a=b; " + cookie), "127.0.0.1")).json();
    await signOut(jarOf(request(cookie), set), "127.0.0.1");
    const { status } = await bff(request(cookie), "127.0.0.1");
    console.log(JSON.stringify([name, status, set.getSetCookie()[1]]));`;
  const options = { module: ModuleKind.ESNext };
  await writeFile(join(project, "backend.js"), transpile(program, options));
  const { stdout } = await run(process.execPath, ["backend.js"], { cwd: project });
  const removed = expect.stringMatching(/^__Host-boards=; Path=\/; Max-Age=0; HttpOnly; /);
  expect(JSON.parse(stdout)).toEqual(["Ada", 401, removed]);
});

test("the README's program creates a workspace with a card, and runs as JavaScript too", async () => {
  const api = async (path: string, init?: RequestInit): Promise<any> =>
    (await fetch(`${service()}/api/v1${path}`, init)).json();
  const account = { email: "me@example.com", password: "correct horse battery", name: "Me" };
  const { accessToken } = await api("/auth/register", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  const headers = { Authorization: `Bearer ${accessToken}` };

  const code = await snippet("README.md", "ts", "card.create");
  await writeFile(join(project, "first.mjs"), code.replace("http://127.0.0.1:3000", service()));
  const { stdout } = await run(process.execPath, ["first.mjs"], { cwd: project });
  expect(stdout).toBe("WOR-1 Oil the gate\n");
  const [{ workspace }] = await api("/workspaces", { headers });
  const { items } = await api(`/workspaces/${workspace.publicId}/boards`, { headers });
  expect(items).toMatchObject([{ name: "Shed" }]);
  const { items: cards } = await api(`/boards/${items[0].publicId}/cards`, { headers });
  expect(cards).toMatchObject([{ title: "Oil the gate" }]);
});

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { JsxEmit, ModuleKind, transpile } from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSignInProvider } from "../support/sign-in-provider.ts";
import { newBoard, newPerson, type Person } from "./demo-window.ts";
import { useService } from "./service.ts";

const run = promisify(execFile);
const provider = await startSignInProvider();
const origin = "http://localhost:4000";
const service = useService(async () => {
  const google = { kind: "google", clientId: "boards", clientSecret: "a secret" };
  const SIGN_IN_PROVIDERS = JSON.stringify([{ ...google, issuer: provider.url }]);
  return { SIGN_IN_PROVIDERS, RETURN_URLS: `${origin}/signed-in` };
});
let project: string;

/** The part of Next.js that the example uses: it is no dependency of the service. */
const types = `
declare module "next/headers" {
  type Options = { httpOnly: true; secure: boolean; sameSite: "lax"; path: "/"; maxAge: number };
  type Cookies = { get(name: string): { value: string } | undefined; set(name: string, value: string, options?: Options): void };
  export function cookies(): Promise<Cookies>;
  export function headers(): Promise<Headers>;
}
declare module "next/navigation" {
  export function redirect(path: string): never;
  export function notFound(): never;
}
declare module "next/server" {
  import type { cookies } from "next/headers";
  type Cookies = Awaited<ReturnType<typeof cookies>>;
  export class NextRequest extends Request { cookies: Cookies }
  export class NextResponse extends Response {
    cookies: Cookies;
    static next(init: { request: NextRequest }): NextResponse;
    static redirect(url: URL): NextResponse;
  }
}
declare module "next/link" {
  export default function Link(props: { href: string; children: import("react").ReactNode }): import("react").ReactElement;
}
`;

/** What its modules do, without a server of its own. */
const modules: Record<string, string> = {
  headers: `export const cookies = async () => globalThis.nextCookies;
    export const headers = async () => new Headers();`,
  navigation: `export const redirect = (path) => { throw new Error("redirect " + path); };
    export const notFound = () => { throw new Error("not found"); };`,
  link: `import { createElement } from "react";
    export default ({ href, children }) => createElement("a", { href }, children);`,
  server: `class Answer { constructor(to) { this.to = to; this.cookies = new Map(); } }
    export const NextResponse = { next: () => new Answer("page"), redirect: (url) => new Answer(url.pathname) };`,
};

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "board-nextjs-"));
  await cp("examples/nextjs", project, { recursive: true });
  const installed = join(project, "node_modules");
  await mkdir(join(installed, "@workspace-board-service"), { recursive: true });
  await symlink(resolve("dist/client-package"), join(installed, "@workspace-board-service/client"));
  for (const name of ["@trpc", "@types", "csstype", "react", "undici-types"]) {
    await symlink(resolve("node_modules", name), join(installed, name));
  }
  await writeFile(join(project, "next.d.ts"), types);
  await mkdir(join(installed, "next"));
  await writeFile(
    join(installed, "next/package.json"),
    `{ "type": "module", "exports": { "./*": "./*.js" } }`,
  );
  for (const [name, code] of Object.entries(modules)) {
    await writeFile(join(installed, "next", `${name}.js`), code);
  }
  for (const file of await readdir(project, { recursive: true })) {
    if (!/(?<!\.d)\.tsx?$/.test(file) || file.startsWith("node_modules")) continue;
    const code = transpile(await readFile(join(project, file), "utf8"), {
      module: ModuleKind.ESNext,
      jsx: JsxEmit.ReactJSX,
    });
    const linked = code.replaceAll(/(from "\.{1,2}\/[^"]+)"/g, '$1.js"');
    await writeFile(join(project, file.replace(/\.tsx?$/, ".js")), linked);
  }
});

afterAll(async () => {
  await provider.stop();
  await rm(project, { recursive: true });
});

const load = async (file: string): Promise<any> => import(pathToFileURL(join(project, file)).href);

test("the example for Next.js compiles", async () => {
  const tsgo = resolve("node_modules/@typescript/native-preview/bin/tsgo");
  const errors = await run(process.execPath, [tsgo, "-p", project], { cwd: project }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(errors).toBe("");
});

/** The cookies of a browser, as Next.js shows them. */
function newCookies() {
  const values = new Map<string, string>();
  return {
    values,
    get: (name: string) => {
      const value = values.get(name);
      return value === undefined ? undefined : { value };
    },
    set: (name: string, value: string) => void values.set(name, value),
  };
}

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

/** The actions of the sign-in page in a new browser. */
async function newBrowser() {
  process.env["BOARDS_URL"] = service();
  const cookies = newCookies();
  Object.assign(globalThis, { nextCookies: cookies });
  return { cookies, actions: await load("app/sign-in/actions.js") };
}

async function signIn(person: Person) {
  const { cookies, actions } = await newBrowser();
  const form = formOf({ email: person.email, password: "a password for tests" });
  await expect(actions.signIn("", form)).rejects.toThrow("redirect /");
  return { cookies, actions };
}

test("its sign-up creates an account with a session, and then a board", async () => {
  const { cookies, actions } = await newBrowser();
  const fields = { email: "next@example.com", password: "a password for tests", name: "Ada" };
  const refused = await actions.signUp("", formOf({ ...fields, password: "short" }));
  expect(refused).toContain("characters");
  expect([...cookies.values]).toEqual([]);
  await expect(actions.signUp("", formOf(fields))).rejects.toThrow("redirect /");
  const { createBoard } = await load("app/actions.js");
  const opened = createBoard(formOf({ name: "Garden" }));
  await expect(opened).rejects.toThrow(/^redirect \/boards\/\w{12}$/);
  const { GET } = await load("app/bff/[...path]/route.js");
  const read = await GET(new Request("https://app.example.com/bff/api/v1/workspaces"));
  expect((await read.json())[0].workspace.name).toBe("Garden");
  await newBrowser();
  expect(await actions.signUp("", formOf(fields))).toContain("An account with this email address");
});

test("each of its pages renders on this version of Node.js", async () => {
  const person = await newPerson(service());
  const { boardPublicId } = await newBoard(person);
  await signIn(person);
  const files = await readdir(join(project, "app"), { recursive: true });
  const none = Promise.resolve({});
  const rendered: Record<string, string> = {};
  for (const file of files.filter((one) => one.endsWith("page.js"))) {
    const [{ default: Page }, { default: Layout }] = await Promise.all([
      load(join("app", file)),
      load("app/(boards)/layout.js"),
    ]);
    const params = Promise.resolve({ id: boardPublicId });
    const page = await Page({ params, searchParams: none });
    rendered[file] = renderToString(createElement(Layout, null, page));
  }
  expect(rendered).toEqual({
    "(boards)/page.js": expect.stringContaining("Website"),
    "(boards)/boards/[id]/page.js": expect.stringContaining("Alpha"),
    "sign-in/page.js": expect.stringContaining("Sign in with"),
    "sign-up/page.js": expect.stringContaining("Create"),
  });
});

test("it signs in through a provider, once and with the cookie of who began", async () => {
  const { cookies, actions } = await newBrowser();
  const begin = async () => {
    const error = await actions.signInWith("google").catch((thrown: Error) => thrown);
    return String(error.message).replace("redirect ", "");
  };
  const { GET } = await load("app/signed-in/route.js");
  const cameBack = (url: URL) => GET(new Request(url));
  // The service has the port that was free.
  const returnOf = async ({ pathname, search }: URL) => {
    const { headers } = await fetch(`${service()}${pathname}${search}`, { redirect: "manual" });
    return new URL(headers.get("location") ?? "");
  };
  const claims = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" };
  const returned = await returnOf(provider.signIn(await begin(), claims));
  expect(returned.origin + returned.pathname).toBe(`${origin}/signed-in`);
  await expect(cameBack(returned)).rejects.toThrow("redirect /");
  const { GET: read } = await load("app/bff/[...path]/route.js");
  const me = () => read(new Request("https://app.example.com/bff/api/v1/users/me"));
  expect((await (await me()).json()).name).toBe("Ada");
  await expect(cameBack(returned)).rejects.toThrow("redirect /sign-in?failed=1");
  const refused = new URL(`${origin}/signed-in?error=access_denied`);
  await expect(cameBack(refused)).rejects.toThrow("redirect /sign-in?failed=1");
  const other = await returnOf(provider.signIn(await begin(), { ...claims, sub: "other" }));
  cookies.values.clear();
  await expect(cameBack(other)).rejects.toThrow("redirect /sign-in?failed=1");
  expect((await me()).status).toBe(401);
});

test("its route forwards calls with the session, and its proxy renews it", async () => {
  const person = await newPerson(service());
  const { boardPublicId } = await newBoard(person);
  const { cookies, actions } = await signIn(person);
  const [cookie = ""] = cookies.values.keys();
  const { GET, POST } = await load("app/bff/[...path]/route.js");
  const address = `https://app.example.com/bff/api/v1/boards/${boardPublicId}`;
  const read = await GET(new Request(address));
  expect([read.status, (await read.json()).name]).toEqual([200, "Website"]);
  const foreign = { method: "POST", headers: { Origin: "https://evil.example" }, body: "{}" };
  expect((await POST(new Request(address, foreign))).status).toBe(403);

  const { proxy } = await load("proxy.js");
  const page = { cookies, headers: new Headers(), url: "https://app.example.com/" };
  expect((await proxy(page)).to).toBe("page");
  // A token that has expired is renewed once for simultaneous requests.
  const session = JSON.parse(decodeURIComponent(cookies.values.get(cookie) ?? ""));
  const [head, , signature] = session.accessToken.split(".");
  const claims = Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url");
  const expired = { ...session, accessToken: [head, claims, signature].join(".") };
  cookies.set(cookie, encodeURIComponent(JSON.stringify(expired)));
  const responses = await Promise.all([proxy(page), proxy(page)]);
  expect(responses.map(({ to }) => to)).toEqual(["page", "page"]);
  expect(responses[0].cookies.get(cookie)).toBe(responses[1].cookies.get(cookie));
  expect((await GET(new Request(address))).status).toBe(200);

  await expect(actions.signOut()).rejects.toThrow("redirect /sign-in");
  expect((await GET(new Request(address))).status).toBe(401);
  expect((await proxy(page)).to).toBe("/sign-in");
});

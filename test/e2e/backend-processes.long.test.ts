import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { ModuleKind, transpile } from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { snippet } from "../support/snippet.ts";
import { useService } from "./service.ts";

const service = useService();
let folder: string;
const processes: { url: string; child: ChildProcess }[] = [];

/** Serves the functions of the recipe with Node.js. */
const server = `
import { createServer } from "node:http";
const answer = async (request) => {
  if (new URL(request.url).pathname !== "/sign-in") return bff(request, "127.0.0.1");
  const { email, password } = await request.json();
  const headers = new Headers();
  return Response.json(await signIn(jarOf(request, headers), email, password, "127.0.0.1"), { headers });
};
const served = createServer(async (req, res) => {
  const { method, headers } = req;
  const body = method === "GET" ? {} : { body: Buffer.concat(await req.toArray()) };
  const url = "http://" + headers.host + req.url;
  const response = await answer(new Request(url, { method, headers, ...body }));
  res.writeHead(response.status, Object.fromEntries(response.headers));
  res.end(Buffer.from(await response.arrayBuffer()));
});
served.listen(0, "127.0.0.1", () => console.log(served.address().port));
`;

async function startProcess() {
  const child = spawn(process.execPath, ["backend.mjs"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(createInterface(child.stdout), "line");
  processes.push({ url: `http://127.0.0.1:${port}`, child });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "board-backend-"));
  const modules = join(folder, "node_modules/@workspace-board-service");
  await mkdir(modules, { recursive: true });
  await symlink(resolve("dist/client-package"), join(modules, "client"));
  const code = await snippet("docs/authentication-recipes.md", "ts", "function jarOf(");
  const recipe = code.replace("http://127.0.0.1:3000", service());
  const program = transpile(recipe + server, { module: ModuleKind.ESNext });
  await writeFile(join(folder, "backend.mjs"), program);
  await Promise.all([startProcess(), startProcess()]);
});

afterAll(async () => {
  for (const { child } of processes) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  await rm(folder, { recursive: true });
});

/** A browser with one cookie, whose requests go to the processes in turn. */
function newBrowser() {
  let cookie = "";
  let count = 0;
  /** One request; a redirected one is sent again, to the next process and with the new cookie. */
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const url = `${processes[count++ % processes.length]?.url}${path}`;
    const response = await fetch(url, {
      ...init,
      headers: { "Content-Type": "application/json", Cookie: cookie },
      redirect: "manual",
    });
    for (const set of response.headers.getSetCookie()) cookie = set.split(";")[0] ?? "";
    if (response.status !== 307) return response;
    const location = new URL(response.headers.get("Location") ?? "", url);
    return call(location.pathname + location.search, init);
  };
  return {
    call,
    session: () => cookie,
    /** As if the access token had expired: the claims of a JWT say when. */
    expire() {
      const [name = "", value = ""] = cookie.split("=");
      const session = JSON.parse(decodeURIComponent(value));
      const [head, , signature] = session.accessToken.split(".");
      const claims = Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url");
      const accessToken = [head, claims, signature].join(".");
      cookie = `${name}=${encodeURIComponent(JSON.stringify({ ...session, accessToken }))}`;
    },
  };
}

const account = { email: "ann@example.com", password: "correct horse battery", name: "Ann" };
const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) });

test("two processes in turn and at once renew one session, also below calls that take long", async () => {
  const headers = { "Content-Type": "application/json" };
  const registered = await fetch(`${service()}/api/v1/auth/register`, {
    ...post(account),
    headers,
  });
  expect(registered.status).toBe(200);
  const { call, expire, session } = newBrowser();
  const { email, password } = account;
  expect((await call("/sign-in", post({ email, password }))).status).toBe(200);
  const made = await call("/bff/api/v1/workspaces", post({ name: "Home" }));
  const { publicId } = (await made.json()) as { publicId: string };
  const events = `/bff/api/v1/workspaces/${publicId}/events?cursor=now&wait=`;

  for (let round = 0; round < 6; round++) {
    expire();
    const before = session();
    const me = await Promise.all(
      [0, 1, 2, 3].map(async () => (await call("/bff/api/v1/users/me")).status),
    );
    expect(me).toEqual([200, 200, 200, 200]);
    expect(session()).not.toBe(before);
  }

  // While a call waits for longer than the service accepts the old token, others go on.
  expire();
  const before = session();
  const waiting = call(`${events}13`).then(({ status }) => status);
  await expect.poll(session).not.toBe(before);
  expect(await waiting).toBe(200);
  expect((await call("/bff/api/v1/users/me")).status).toBe(200);
  // A write whose call was redirected is written once.
  expire();
  expect((await call("/bff/api/v1/workspaces", post({ name: "Second" }))).status).toBe(200);
  const all = (await (await call("/bff/api/v1/workspaces")).json()) as unknown[];
  expect(all).toHaveLength(2);
});

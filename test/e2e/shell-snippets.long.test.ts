import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { useService } from "./service.ts";

const service = useService();
const run = promisify(execFile);
const password = "correct horse battery";
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "board-shell-"));
  await writeFile(join(folder, "plan.pdf"), "%PDF-1.7");
  await writeFile(join(folder, "tasks.csv"), "Task,Stage,Effort\nSow,To do,3\n");
  const lists = [{ id: "5abbe4b7ddc1b351ef961416", name: "To do", pos: 1, closed: false }];
  const board = { id: "5abbe4b7ddc1b351ef961415", name: "Garden", lists, cards: [] };
  await writeFile(join(folder, "board.json"), JSON.stringify(board));
  environment = { PATH: process.env["PATH"] ?? "", ...(await variables()) };
});
afterAll(() => rm(folder, { recursive: true }));

/** The values of the variables that the commands use: a reader has them from earlier responses. */
async function variables(): Promise<Record<string, string>> {
  const client = createClient({ url: service() });
  const account = { email: "you@example.com", password };
  await client.account.register({ ...account, name: "You" });
  const { accessToken } = await client.auth.login(account);
  const workspace = await client.workspace.create({ name: "Home", slug: "home" });
  const workspacePublicId = workspace.publicId;
  const board = await client.board.create({
    workspacePublicId,
    name: "Garden",
    lists: ["To do"],
    labels: ["Bug", "Urgent", "Waiting"],
  });
  const [list] = board.lists;
  const { nextCursor } = await client.workspace.events({ workspacePublicId });
  const listPublicId = list?.publicId ?? "";
  const card = await client.card.create({ listPublicId, title: "Plant the apple tree" });
  const boardPublicId = board.publicId;
  const options = [{ name: "S" }, { name: "L" }];
  const field = await client.field.create({ boardPublicId, name: "T", type: "select", options });
  const groupBy = { field: "priority" } as const;
  const view = await client.view.create({ workspacePublicId, name: "All", groupBy });
  const { key } = await client.auth.createApiKey({ name: "Script", password });
  const [bug, urgent, waiting] = board.labels.map(({ publicId }) => publicId);
  return {
    TOKEN: accessToken,
    KEY: key,
    WORKSPACE: workspacePublicId,
    BOARD: boardPublicId,
    LIST: listPublicId,
    CARD: card.publicId,
    FIELD: field.publicId,
    OPTION: field.options[0]?.publicId ?? "",
    VIEW: view.publicId,
    CURSOR: nextCursor,
    BUG: bug ?? "",
    URGENT: urgent ?? "",
    WAITING: waiting ?? "",
    PLANKA_API_KEY: "planka-key",
  };
}

/** A `curl` that says the status of each response on standard error. It leaves a stream that is ready. */
const curl = `curl() {
  case "$*" in
    "-sN "*)
      command curl --fail "$@" > stream & stream=$!
      until grep -q "event: ready" stream; do kill -0 $stream || return 1; sleep 0.1; done
      kill $stream; echo "status 200" >&2 ;;
    *) command curl -w '%{stderr}status %{http_code}\n' "$@" ;;
  esac
}
`;

/** The shell blocks of README, docs and examples that call the service, with their pages. */
const blocks = await (async () => {
  const names = ["README.md", ...(await readdir("docs")).map((name) => `docs/${name}`)];
  const examples = await readdir("examples", { recursive: true });
  names.push(...examples.map((name) => `examples/${name}`));
  const titles = new Map<string, string>();
  for (const name of names.filter((one) => one.endsWith(".md") && !one.includes("node_modules"))) {
    const page = await readFile(name, "utf8");
    for (const [, code = ""] of page.matchAll(/```sh\n([^]*?)```/g)) {
      // Pages repeat the first calls, which create an account.
      if (!/\bcurl /.test(code) || titles.has(code)) continue;
      const [path] = /\/api\/v1\/[\w/$-]+|\/docs\/[\w.]+/.exec(code) ?? [];
      titles.set(code, `${name}: ${path}`);
    }
  }
  return [...titles].map(([code, title]) => [title, code] as const);
})();

test("there are shell blocks on many pages", () => {
  expect(new Set(blocks.map(([title]) => title.split(":")[0])).size).toBeGreaterThan(10);
});

test.each(blocks)("every request succeeds of %s", async (_, code) => {
  const program = code
    .replaceAll(
      /http:\/\/(?:127\.0\.0\.1|localhost):3000|https:\/\/boards\.example\.com/g,
      service(),
    )
    .replace(/^npm install .* && /m, "");
  const options = { cwd: folder, env: environment };
  const { stdout, stderr } = await run("sh", ["-euc", curl + program], options);
  const statuses = [...stderr.matchAll(/status (\d+)/g)].map(([, status]) => status);
  // The servers of the examples do not exist. The service has read the request before it says so.
  const refused = JSON.stringify("target_refused");
  const expected = stdout.includes(refused) ? "400" : "200";
  expect([...new Set(statuses)], stdout).toEqual([expected]);
});

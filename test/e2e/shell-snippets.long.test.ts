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

/** The variables that the quick start sets. A page sets its others itself. */
async function variables(): Promise<Record<string, string>> {
  const client = createClient({ url: service() });
  const account = { email: "you@example.com", password };
  await client.account.register({ ...account, name: "You" });
  const { accessToken } = await client.auth.login(account);
  const workspace = await client.workspace.create({ name: "Home", slug: "home" });
  const workspacePublicId = workspace.publicId;
  const board = await client.board.create({ workspacePublicId, name: "Garden", lists: ["To do"] });
  const listPublicId = board.lists[0]?.publicId ?? "";
  const card = await client.card.create({ listPublicId, title: "Plant the apple tree" });
  await client.card.create({ listPublicId, title: "Water it" });
  return {
    TOKEN: accessToken,
    WORKSPACE: workspacePublicId,
    BOARD: board.publicId,
    LIST: listPublicId,
    CARD: card.publicId,
    // A secret of the reader.
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

/** The shell blocks that call the service, by page: of README, docs and examples. */
const pages = await (async () => {
  const names = ["README.md", ...(await readdir("docs")).toSorted().map((name) => `docs/${name}`)];
  const examples = await readdir("examples", { recursive: true });
  names.push(...examples.toSorted().map((name) => `examples/${name}`));
  const seen = new Set<string>();
  const found: [name: string, blocks: string[]][] = [];
  for (const name of names.filter((one) => one.endsWith(".md") && !one.includes("node_modules"))) {
    const page = await readFile(name, "utf8");
    const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, code = ""]) => code);
    // Pages repeat the first calls, which create an account.
    const calling = blocks.filter((code) => /\bcurl /.test(code) && !seen.has(code));
    for (const code of calling) seen.add(code);
    if (calling.length > 0) found.push([name, calling]);
  }
  return found;
})();

test("there are shell blocks on many pages", () => {
  expect(pages.length).toBeGreaterThan(10);
});

/** The part of an output that each block has printed. */
const partsOf = (output: string) => output.split(/^@@ next block$/m).slice(1);

test.each(pages)("the blocks of %s run in order, and every request succeeds", async (_, blocks) => {
  const mark = String.raw`printf '\n@@ next block\n'; printf '\n@@ next block\n' >&2` + "\n";
  const program = blocks
    .map((code) => `${mark}${code.replace(/^npm install .* && /m, "")}`)
    .join("\n")
    .replaceAll(
      /http:\/\/(?:127\.0\.0\.1|localhost):3000|https:\/\/boards\.example\.com/g,
      service(),
    );
  const options = { cwd: folder, env: environment };
  // A variable that is not set ends the shell.
  const { stdout, stderr } = await run("sh", ["-euc", curl + program], options);
  const [printed, said] = [partsOf(stdout), partsOf(stderr)];
  expect(said.length).toBe(blocks.length);
  for (const [nth, text] of said.entries()) {
    const statuses = [...text.matchAll(/status (\d+)/g)]
      // A registration of an app is answered with 201, as its RFC has it.
      .map(([, status]) => (status === "201" ? "200" : status));
    // The servers of the examples do not exist. The service has read the request before it says so.
    const isRefused = printed[nth]?.includes(JSON.stringify("target_refused")) === true;
    expect([...new Set(statuses)], `${blocks[nth]}${printed[nth]}`).toEqual([
      isRefused ? "400" : "200",
    ]);
  }
});

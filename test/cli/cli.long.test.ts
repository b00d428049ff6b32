import { execFile } from "node:child_process";
import { readFile, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { wbs as wbsCommand } from "../../src/cli/commands.ts";
import { meant, usageOf } from "../../src/cli/help.ts";
import { runDue, startWorkers, type Workers } from "../support/jobs.ts";
import { entriesOf, exported } from "../transfer/exports/fetching.ts";
import { fill } from "../transfer/exports/many.ts";
import { minimalDocument } from "../transfer/exports/minimal.ts";
import { normal } from "../transfer/exports/normal.ts";
import { useApp } from "../support/app.ts";
import { makeBoard, makeUser, makeWorkspace, type Workspace } from "../support/make.ts";
import { freePort } from "../support/listen.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { environmentOf, listening, useWbs, wbs } from "./wbs.ts";

const app = useApp({ isolated: true });
const served = useWbs(app);
let workers: Workers;
let workspace: Workspace;
let board: Awaited<ReturnType<typeof makeBoard>>;
let env: Record<string, string>;
beforeAll(async () => {
  workers = startWorkers(app().deps, 1);
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
  await fill(app(), board.lists[0] ?? "", { cards: 50, comments: 1 });
  env = await environmentOf(served(), workspace);
});
afterAll(async () => {
  await workers.stop();
});

const run = async (args: string[], more: Record<string, string> = {}, cwd?: string) =>
  wbs(served().main, cwd ?? (await temporaryDirectory()), args, { ...env, ...more }).ended;

describe("wbs export", () => {
  test("names the file as the service does, or as the option -o says", async () => {
    const directory = await temporaryDirectory();
    const first = await run(["export", "--workspace", workspace.slug], {}, directory);
    expect(first).toMatchObject({ code: 0, out: "" });
    const [name = ""] = await readdir(directory);
    expect(name).toMatch(new RegExp(`^${workspace.slug}-[0-9-]+\\.json$`));
    expect(first.said).toContain(`Wrote ${name}`);
    const { counts } = JSON.parse(await readFile(join(directory, name), "utf8"));
    expect(counts).toMatchObject({ cards: 50, comments: 50 });
    const second = await run(["export", "workspace", workspace.publicId, "-o", "-"]);
    expect(JSON.parse(second.out).counts).toEqual(counts);
  });

  test("writes an archive with the files", async () => {
    const directory = await temporaryDirectory();
    const args = ["export", "--workspace", workspace.publicId, "--files", "-o", "all.tar"];
    expect((await run(args, {}, directory)).code).toBe(0);
    const entries = await entriesOf(await readFile(join(directory, "all.tar")));
    expect([...entries.keys()]).toEqual(["workspace.json", "manifest.json"]);
  });

  test("overwrites a file only with --force", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "mine"), "mine");
    const args = ["export", "csv", "--board", board.publicId, "-o", "mine"];
    const refused = await run(args, {}, directory);
    expect([refused.code, refused.said]).toEqual([
      2,
      expect.stringContaining("--force overwrites it"),
    ]);
    expect(await readFile(join(directory, "mine"), "utf8")).toBe("mine");
    expect((await run([...args, "--force"], {}, directory)).code).toBe(0);
    expect((await readFile(join(directory, "mine"), "utf8")).split("\r\n")).toHaveLength(52);
    expect(await readdir(directory)).toEqual(["mine"]);
  });

  test("says that the disk is full, and leaves no file", async () => {
    const { code, said } = await run([
      "export",
      "--workspace",
      workspace.slug,
      "-o",
      "/dev/full",
      "--force",
    ]);
    expect([code, said]).toEqual([8, expect.stringContaining("the disk is full")]);
  });
});

describe("wbs import", () => {
  test("imports an exported workspace, and prints its report", async () => {
    const directory = await temporaryDirectory();
    const document = await exported(app(), workspace.admin.token, workspace.publicId);
    await writeFile(join(directory, "w.json"), JSON.stringify(document));
    const { code, out, said } = await run(["import", "workspace", "w.json"], {}, directory);
    expect([code, said]).toEqual([0, expect.stringMatching(/^sending: \d+ of \d+$/m)]);
    expect(out).toContain("card: 50 created");
    const [, into = ""] = /into workspace (\w{12})/.exec(said) ?? [];
    const second = await exported(app(), workspace.admin.token, into);
    expect(normal(second, workspace.admin, false)).toEqual(
      normal(document, workspace.admin, false),
    );
  });

  test("prints the report as JSON when asked to, also later", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "w.json"), JSON.stringify(minimalDocument("As JSON")));
    const { out } = await run(["import", "workspace", "w.json", "--json"], {}, directory);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ status: "completed", report: { items: [{ kind: "member" }] } });
    const later = await run(["status", report.publicId, "--json"]);
    expect([later.code, JSON.parse(later.out)]).toEqual([0, report]);
    const shown = await run(["status", report.publicId]);
    expect(shown.out).toMatch(/^ {2}member \(1\): The member is invited.*\n {4}"Ada"/m);
    expect((await run(["cancel", report.publicId])).code).toBe(5);
  });

  test("imports Trello's file", async () => {
    const directory = await temporaryDirectory();
    const trello = {
      id: "5abbe4b7ddc1b351ef961414",
      name: "From Trello",
      lists: [{ id: "5abbe4b7ddc1b351ef961415", name: "To do", pos: 1 }],
      cards: [],
    };
    await writeFile(join(directory, "board.json"), JSON.stringify(trello));
    const args = ["import", "trello", "board.json", "--workspace", workspace.slug];
    const { code, out, said } = await run(args, {}, directory);
    expect([code, said, out]).toEqual([
      0,
      expect.any(String),
      expect.stringMatching(/board \w{12} "From Trello"/),
    ]);
  });

  test("imports a CSV file into a board with its name, and shows first how it is read", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "tasks.csv"), "Task;Stage\nOne;Doing\n");
    const args = ["import", "csv", "tasks.csv", "--workspace", workspace.slug];
    const columns = ["--columns", "title=Task,list=Stage"];
    const shown = await run([...args, ...columns, "--preview"], {}, directory);
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('"Task": title – One') });
    const { code, out } = await run([...args, ...columns], {}, directory);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/board \w{12} "tasks"[^]*card: 1 created/),
    ]);
    const wrong = await run([...args, "--columns", "title=Name"], {}, directory);
    expect(wrong.said).toContain("no column “Name”");
    expect(wrong.code).not.toBe(0);
  });

  test("imports from Planka and Kan, with secrets of the environment", async () => {
    const into = ["--workspace", workspace.slug];
    const without = await run(["import", "planka", "https://planka.example", ...into]);
    expect(without).toMatchObject({ code: 2, said: expect.stringContaining("PLANKA_PASSWORD") });
    const secrets = { PLANKA_USER: "ada", PLANKA_PASSWORD: "a secret", KAN_API_KEY: "a key" };
    for (const source of ["planka", "kan"]) {
      const refused = await run(["import", source, "http://10.0.0.1", ...into], secrets);
      expect([source, refused.code !== 0]).toEqual([source, true]);
      expect(refused.said).toContain("http is not allowed here");
      expect(refused.said).not.toContain("a secret");
    }
  });

  test("says what is wrong with a file, and ends with a code of its own", async () => {
    const directory = await temporaryDirectory();
    const whole = JSON.stringify(minimalDocument());
    await writeFile(join(directory, "cut.json"), whole.slice(0, 700));
    await writeFile(
      join(directory, "large.json"),
      whole.replace('"roles"', `oops ${"x".repeat(30_000_000)}`),
    );
    const cut = await run(["import", "workspace", "cut.json"], {}, directory);
    expect([cut.code, cut.said]).toEqual([
      7,
      expect.stringContaining("is cut off after 700 bytes"),
    ]);
    const large = await run(["import", "workspace", "large.json"], {}, directory);
    expect([large.code, large.said]).toEqual([7, expect.stringContaining("is not JSON")]);
    const missing = await run(["import", "workspace", "missing.json"], {}, directory);
    expect([missing.code, missing.said]).toEqual([
      7,
      expect.stringContaining("File missing.json does not exist"),
    ]);
    const folder = await run(["import", "workspace", "."], {}, directory);
    expect([folder.code, folder.said]).toEqual([7, expect.stringContaining("is a directory")]);
  });

  test("of a file over the limit or of a truncated one says so, and ends with 7", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "huge.json"), "{");
    await truncate(join(directory, "huge.json"), 257 * 1024 * 1024);
    await writeFile(join(directory, "cut.json"), '{"id": "5abbe4b7ddc1b351ef961414", "name": "Cut');
    const into = ["--workspace", workspace.slug];
    const huge = await run(["import", "trello", "huge.json", ...into], {}, directory);
    expect([huge.code, huge.said]).toEqual([7, expect.stringContaining("(413)")]);
    const cut = await run(["import", "trello", "cut.json", ...into], {}, directory);
    expect([cut.code, cut.said]).toEqual([7, expect.stringContaining("is cut off after")]);
  });

  test("is cancelled by Ctrl-C, and ends with 130", async () => {
    await workers.stop();
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "w.json"), JSON.stringify(minimalDocument("Cancelled")));
    const cli = wbs(served().main, directory, ["import", "workspace", "w.json"], env);
    await expect.poll(cli.said, { interval: 20 }).toMatch(/^queued: 0/m);
    cli.process.kill("SIGINT");
    const { code, said } = await cli.ended;
    const [, id = ""] = /^Import (\w{12}) into/m.exec(said) ?? [];
    expect([code, said]).toEqual([130, expect.stringContaining(`Import ${id} is cancelled.`)]);
    const { body } = await workspace.admin.rest.get(`/imports/${id}`);
    expect(body.status).toBe("cancelled");
    workers = startWorkers(app().deps, 1);
  });
});

describe("wbs import that is interrupted", () => {
  /** Starts an import while no worker runs. Returns it, queued, with its id. */
  const waiting = async (url: string) => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "w.json"), JSON.stringify(minimalDocument("Waiting")));
    const cli = wbs(served().main, directory, ["import", "workspace", "w.json"], {
      ...env,
      WBS_URL: url,
    });
    await expect.poll(cli.said, { interval: 20 }).toMatch(/^queued: 0/m);
    return { cli, id: /^Import (\w{12}) into/m.exec(cli.said())?.[1] ?? "" };
  };
  beforeAll(() => workers.stop());
  afterAll(() => void (workers = startWorkers(app().deps, 1)));

  test("when all has been sent cancels what that has begun", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "w.json"), JSON.stringify(minimalDocument("Begun")));
    // The service does not answer while the row of its user is locked, for 4 s at most. They begin
    // with the call, not with the start of the process.
    const holder = new pg.Client({ connectionString: app().url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM users WHERE email = $1 FOR NO KEY UPDATE", [
      workspace.admin.email,
    ]);
    const cli = wbs(served().main, directory, ["import", "workspace", "w.json"], env);
    await expect.poll(cli.said, { interval: 20 }).toMatch(/^sending: (\d+) of \1$/m);
    cli.process.kill("SIGINT");
    await expect.poll(cli.said, { interval: 20 }).toContain("The file was sent");
    await holder.query("ROLLBACK");
    const { code, said } = await cli.ended;
    expect([code, said]).toEqual([130, expect.stringMatching(/^Import \w{12} is cancelled\.$/m)]);
  });

  test("while the service is away says how to cancel it later", async () => {
    const other = await listening(app().deps);
    const { cli, id } = await waiting(other.url);
    await other.close();
    await expect.poll(cli.said, { interval: 20 }).toContain("does not answer");
    cli.process.kill("SIGINT");
    const { code, said } = await cli.ended;
    expect([code, said]).toEqual([130, expect.stringContaining(`wbs cancel ${id} cancels it`)]);
    expect((await run(["cancel", id])).code).toBe(0);
  });

  test("by an unavailable service continues when it is available again", async () => {
    const port = await freePort();
    const other = await listening(app().deps, port);
    const { cli, id } = await waiting(other.url);
    await other.close();
    await expect.poll(cli.said, { interval: 20 }).toContain("The import continues when it is back");
    const back = await listening(app().deps, port);
    await runDue(app().deps);
    const { code, out } = await cli.ended;
    expect([code, out]).toEqual([0, expect.stringContaining(`Import ${id}: completed`)]);
    await back.close();
  });
});

describe("wbs on a terminal", () => {
  /** What a terminal of 60 columns is sent. */
  const onTerminal = (directory: string, args: string[], more: Record<string, string> = {}) =>
    new Promise<string>((resolve, reject) => {
      const command = `stty cols 60; exec '${process.execPath}' '${served().main}' ${args.join(" ")}`;
      const all = { PATH: process.env["PATH"], TERM: "xterm", ...env, ...more };
      execFile(
        "script",
        ["-qec", command, "/dev/null"],
        { cwd: directory, env: all },
        (failed, out) => (failed === null ? resolve(out) : reject(failed)),
      );
    });

  test("removes its bar before it prints a message", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "w.json"), JSON.stringify(minimalDocument("On a terminal")));
    const shown = await onTerminal(directory, ["import", "workspace", "w.json"]);
    expect(shown).toMatch(/sending +\[={20}\] /);
    const cleared = shown.split("\u001B[2K").map((text) => text.split(" ", 3).join(" "));
    expect(cleared).toContainEqual(expect.stringMatching(/^Import \w{12} into$/));
    expect(cleared).toContainEqual(expect.stringMatching(/^Import \w{12}: completed/));
  });

  test("shows no colours where NO_COLOR is set", async () => {
    const directory = await temporaryDirectory();
    expect(await onTerminal(directory, ["--help"])).toContain("\x1b[");
    expect(await onTerminal(directory, ["--help"], { NO_COLOR: "true" })).not.toContain("\x1b[");
  });
});

describe("wbs export that is interrupted", () => {
  test("leaves no incomplete file, and ends with 130", async () => {
    const home = await makeWorkspace(app(), workspace.admin);
    const large = await makeBoard(home);
    for (const list of large.lists)
      await fill(app(), list, { cards: 4_000, comments: 2, events: 2 });
    const directory = await temporaryDirectory();
    const cli = wbs(
      served().main,
      directory,
      ["export", "--workspace", home.publicId, "-o", "w.json"],
      env,
    );
    await expect.poll(() => readdir(directory), { interval: 5 }).toEqual(["w.json.part"]);
    cli.process.kill("SIGINT");
    expect((await cli.ended).code).toBe(130);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("wbs says clearly", () => {
  test.each([
    ["that there is no token", ["status", "0123456789ab"], { WBS_TOKEN: "" }, 3, "No token is set"],
    [
      "that the token is invalid",
      ["status", "0123456789ab"],
      { WBS_TOKEN: "wbs_invalid" },
      3,
      "(401)",
    ],
    [
      "that the service is down",
      ["status", "0123456789ab"],
      { WBS_URL: "http://127.0.0.1:9" },
      6,
      "does not answer (ECONNREFUSED)",
    ],
    [
      "how a command is called",
      ["import", "trello"],
      {},
      2,
      "Missing required positional argument: FILE\nUsage: wbs import trello --help",
    ],
    ["that an option of the service is unknown", ["serve", "--dmo"], {}, 2, "Unknown option --dmo"],
    [
      "that the address is wrong",
      ["status", "0123456789ab"],
      { WBS_URL: "ftp://x" },
      2,
      "must start with http",
    ],
    ["that the import does not exist", ["status", "0123456789ab"], {}, 4, "Import not found."],
    [
      "that an option is unknown",
      ["export", "--workspace", "x", "--file"],
      {},
      2,
      "Unknown option --file",
    ],
    ["that the workspace is missing", ["export"], {}, 2, "wbs export workspace ID"],
    [
      "that two boards are named",
      ["export", "csv", "a", "--board", "b"],
      {},
      2,
      "Two boards: a, b. Name one: wbs export csv ID.",
    ],
    [
      "that an option before a command is unknown",
      ["--ur", "import"],
      {},
      2,
      "Unknown option --ur",
    ],
    ["that an id is invalid", ["export", "csv", "?"], {}, 2, "boardPublicId"],
    ["that a command is unknown", ["explode"], {}, 2, "explode"],
  ])("%s", async (_, args, more, code, words) => {
    const ended = await run(args, more);
    expect([ended.code, ended.said, ended.out]).toEqual([code, expect.stringContaining(words), ""]);
    expect(ended.said).not.toMatch(/ at .*\.ts/);
  });

  test.each([
    ["an export", () => ["export", "--workspace", workspace.slug, "-o", "-"]],
    ["what it prints", () => ["export", "--help"]],
  ])("that the reader of %s has gone", async (_, args) => {
    const cli = wbs(served().main, await temporaryDirectory(), args(), env);
    cli.process.stdout?.destroy();
    const { code, said } = await cli.ended;
    expect([code, said]).toEqual([1, expect.stringContaining("Standard output was closed before")]);
    expect(said).not.toMatch(/ at /);
  });

  test("that the directory does not exist", async () => {
    const ended = await run(["export", "--workspace", workspace.slug, "-o", "missing/all.json"]);
    expect([ended.code, ended.said]).toEqual([
      2,
      expect.stringContaining("the directory does not exist"),
    ]);
  });

  test("that the caller has no permission", async () => {
    const other = await makeUser(app());
    const { body } = await other.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "Other",
    });
    const ended = await run(["export", "--workspace", workspace.publicId], { WBS_TOKEN: body.key });
    expect([ended.code, ended.said]).toEqual([3, expect.stringContaining("You are not a member")]);
  });

  test("how each command is used", async () => {
    for (const args of commandsIn(wbsCommand)) {
      const out = stripVTControlCharacters(await usageOf(args));
      expect(out).toMatch(new RegExp(`^USAGE ${["wbs", ...args].join(" ")} (?!wbs)`, "m"));
      const options = ["serve", "migrate", "doctor", "backup", "restore"].includes(args[0] ?? "")
        ? []
        : ["seed", "login", "logout"].includes(args[0] ?? "")
          ? ["--url"]
          : ["--url", "--token"];
      for (const option of options) expect(out).toContain(`${option}=<`);
      expect(meant(["help", ...args])).toEqual(meant([...args, "--help"]));
    }
  });

  test.each([[[]], [["import"]], [["export", "csv"]]])(
    "how `wbs %j` is used, in both spellings",
    async (args) => {
      const used = `${stripVTControlCharacters(await usageOf(args))}\n`;
      for (const spelled of [
        [...args, "--help"],
        ["help", ...args],
      ])
        expect(await run(spelled, { WBS_TOKEN: "" })).toEqual({ code: 0, out: used, said: "" });
    },
  );

  test("its version", async () => {
    expect((await run(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

type Command = { subCommands?: unknown };

/** The names of a command and of all commands in it. */
function commandsIn({ subCommands }: Command, names: string[] = []): string[][] {
  const subs = Object.entries((subCommands ?? {}) as Record<string, Command>);
  return [names, ...subs.flatMap(([name, sub]) => commandsIn(sub, [...names, name]))];
}

import { type ArgsDef, defineCommand } from "citty";
import { version } from "../platform/version.ts";
import { admin } from "./admin.ts";
import type { Api } from "./api.ts";
import { command, group, findWorkspaceId, checkArguments, urlOption } from "./command.ts";
import { imports } from "./import-commands.ts";
import { requestCancel, showImport } from "./imports.ts";
import { CliFailure, exits } from "./failure.ts";
import { login, logout } from "./login.ts";
import { mcp } from "./mcp.ts";
import { createProgress, printStatus, print } from "./progress.ts";
import { backup, doctor, migrate, restore, serve } from "./serve.ts";
import { saveDownload } from "./transfer.ts";
import { readUrl } from "./config.ts";
import { people } from "./sample-content.ts";
import { seed, signInText } from "./sample-workspace.ts";

const args = { url: urlOption } as const;

/** Explains that the accounts of the sample workspace are there already. */
function explain(error: unknown): never {
  if (!(error instanceof CliFailure) || error.exit !== exits.conflict) throw error;
  const hint =
    `The service has a sample workspace: sign in as ${people.ada.email} with the password that ` +
    "was printed then, or fill another, empty service.";
  throw new CliFailure(error.exit, `${error.message}\n  ${hint}`, { cause: error });
}

/** Makes the sample workspace, and prints how to sign in. */
const seedCommand = defineCommand({
  meta: { name: "wbs seed", description: "Fill a service with a sample workspace" },
  args,
  async run({ args: { url }, rawArgs }) {
    checkArguments(rawArgs, args);
    print(signInText(await seed(readUrl(url)).catch(explain)));
  },
});

const out = {
  output: {
    type: "string",
    alias: "o",
    description:
      "The file to write, or - for standard output (default: the name that the service suggests)",
    valueHint: "file",
  },
  force: { type: "boolean", description: "Replace the file if it exists" },
} as const satisfies ArgsDef;

/** The argument, or the option of the same meaning; fails without one, and if they differ. */
function requireOne(
  argument: string | undefined,
  option: string | undefined,
  noun: string,
): string {
  const choice = argument ?? option;
  if (choice !== undefined && (option ?? choice) === choice) return choice;
  const problem =
    choice === undefined ? `Missing the ${noun}` : `Two ${noun}s: ${argument}, ${option}`;
  throw new CliFailure(
    exits.usage,
    `${problem}. Name one: wbs export ${noun === "board" ? "csv" : noun} ID.`,
  );
}

type SaveOptions = { output?: string | undefined; force?: boolean | undefined };
async function save(api: Api, from: string, { output, force }: SaveOptions, signal: AbortSignal) {
  const progress = createProgress();
  try {
    const path = await saveDownload(api, {
      from,
      path: output,
      force: force === true,
      signal,
      progress,
    });
    progress.end();
    if (path !== "-") printStatus(`Wrote ${path}`);
  } finally {
    progress.end();
  }
}

const exported = { type: "positional", required: false, valueHint: "id" } as const;
const exportArgs = {
  workspace: {
    type: "string",
    description: "The same as an option: the workspace's id or slug",
    valueHint: "workspace",
  },
  files: { type: "boolean", description: "Include attached files: the result is a tar archive" },
  ...out,
} as const satisfies ArgsDef;

const exportedWorkspace = command(
  "wbs export workspace",
  "Export a workspace as one JSON document, or with its files as an archive",
  { id: { ...exported, description: "The workspace: its id or slug" }, ...exportArgs },
  async ({ id: argument, workspace, files, output, force }, api, signal) => {
    const publicId = await findWorkspaceId(api, requireOne(argument, workspace, "workspace"));
    const from = `/workspaces/${publicId}/export${files === true ? "?files=true" : ""}`;
    await save(api, from, { output, force }, signal);
  },
);

const csv = command(
  "wbs export csv",
  "Export the cards of a board as CSV",
  {
    id: { ...exported, description: "The id of the board" },
    board: { type: "string", description: "The same as an option", valueHint: "board" },
    archived: { type: "boolean", description: "Include archived cards" },
    ...out,
  },
  async ({ id: argument, board: option, archived, output, force }, api, signal) => {
    const board = requireOne(argument, option, "board");
    const query = archived === true ? "?archived=true" : "";
    const from = `/boards/${encodeURIComponent(board)}/cards.csv${query}`;
    await save(api, from, { output, force }, signal);
  },
);

const asJson = {
  json: { type: "boolean", description: "Print the result as JSON" },
} as const satisfies ArgsDef;
const id = { type: "positional", required: true, description: "The id of the import" } as const;

const status = command(
  "wbs status",
  "Show the progress of an import, and its report",
  { id, ...asJson },
  async ({ id: publicId, json }, api) => showImport(api, publicId, json === true),
);

const cancel = command(
  "wbs cancel",
  "Cancel an import. Created cards remain",
  { id },
  async ({ id: publicId }, api) => requestCancel(api, publicId),
);

const exports = group(
  { name: "wbs export", description: "Export a workspace, or the cards of a board" },
  { workspace: exportedWorkspace, csv },
  { args: exportArgs, default: "workspace" },
);

/** All commands of `wbs`. */
export const wbs = group(
  {
    name: "wbs",
    version,
    description: "Runs a workspace board service, and imports and exports its workspaces",
  },
  {
    import: imports,
    export: exports,
    status,
    cancel,
    login,
    logout,
    serve,
    migrate,
    doctor,
    backup,
    restore,
    seed: seedCommand,
    mcp,
    admin,
  },
);

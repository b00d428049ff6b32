import { basename, extname } from "node:path";
import type { ArgsDef } from "citty";
import { z } from "zod";
import { Import } from "../contract/resources/imports.ts";
import { command, findWorkspaceId, group } from "./command.ts";
import { readKanKey, readPlankaCredential } from "./config.ts";
import { CliFailure, exits } from "./failure.ts";
import { runImport } from "./imports.ts";
import { createProgress, print } from "./progress.ts";
import { upload } from "./transfer.ts";

const targetArgs = {
  workspace: {
    type: "string",
    required: true,
    description: "The workspace to import into: its id or slug",
    valueHint: "workspace",
  },
} as const satisfies ArgsDef;
const asJson = {
  json: { type: "boolean", description: "Print the result as JSON" },
} as const satisfies ArgsDef;
const file = { type: "positional", required: true, valueHint: "file" } as const;

const trello = command(
  "wbs import trello",
  "Import a board from a JSON file that Trello has exported",
  { file: { ...file, description: "The file" }, ...targetArgs, ...asJson },
  async ({ file: path, workspace, json }, api, signal) => {
    const to = `/imports/trello/file?workspacePublicId=${await findWorkspaceId(api, workspace)}`;
    const start = (progress: ReturnType<typeof createProgress>) =>
      upload(api, Import, { path, to, signal, progress });
    await runImport(api, signal, start, json === true);
  },
);

const github = command(
  "wbs import github",
  "Import projects (v2) from GitHub, with the connection of the key's owner",
  {
    projects: {
      ...file,
      description: "The ids of the projects, separated by commas",
      valueHint: "ids",
    },
    ...targetArgs,
    ...asJson,
  },
  async ({ projects, workspace, json: asText }, api, signal) => {
    const workspacePublicId = await findWorkspaceId(api, workspace);
    const projectIds = projects.split(",").map((id) => id.trim());
    const json = { workspacePublicId, projectIds };
    const start = () => api.json(Import, "/imports/github/projects", { method: "POST", json });
    await runImport(api, signal, start, asText === true);
  },
);

/** Ids that are separated by commas; undefined without any. */
const idsIn = (text: string | undefined) => text?.split(",").map((id) => id.trim());

const boards = {
  boards: {
    type: "string",
    description: "Only these boards: their ids, separated by commas (default: all)",
    valueHint: "ids",
  },
} as const satisfies ArgsDef;
const address = (service: string) =>
  ({
    type: "positional",
    required: true,
    description: `The address of ${service}`,
    valueHint: "address",
  }) as const;

const planka = command(
  "wbs import planka",
  "Import boards from Planka 1 or 2. Set PLANKA_API_KEY, PLANKA_TOKEN, or PLANKA_USER and " +
    "PLANKA_PASSWORD; the password is not stored",
  {
    address: address("Planka"),
    projects: {
      type: "string",
      description: "Only boards of these projects: their ids, separated by commas",
      valueHint: "ids",
    },
    ...boards,
    ...targetArgs,
    ...asJson,
  },
  async ({ address: url, projects, boards: boardIds, workspace, json: asText }, api, signal) => {
    const credential = readPlankaCredential();
    const workspacePublicId = await findWorkspaceId(api, workspace);
    const ids = { projectIds: idsIn(projects), boardIds: idsIn(boardIds) };
    const json = { workspacePublicId, url, ...credential, ...ids };
    const start = () => api.json(Import, "/imports/planka", { method: "POST", json });
    await runImport(api, signal, start, asText === true);
  },
);

const kan = command(
  "wbs import kan",
  "Import boards from Kan",
  {
    address: address("Kan"),
    key: { type: "string", description: "API key of Kan (default: KAN_API_KEY)", valueHint: "key" },
    from: {
      type: "string",
      description: "Only boards of these workspaces of Kan: their ids, separated by commas",
      valueHint: "ids",
    },
    ...boards,
    ...targetArgs,
    ...asJson,
  },
  async ({ address: url, key, from, boards: boardIds, workspace, json: asText }, api, signal) => {
    const apiKey = readKanKey(key);
    const workspacePublicId = await findWorkspaceId(api, workspace);
    const ids = { workspaceIds: idsIn(from), boardIds: idsIn(boardIds) };
    const json = { workspacePublicId, url, apiKey, ...ids };
    const start = () => api.json(Import, "/imports/kan", { method: "POST", json });
    await runImport(api, signal, start, asText === true);
  },
);

/** The pairs of an option such as `title=Task,list=Status`. */
const pairsIn = (option: string, text: string | undefined, example: string): [string, string][] =>
  (idsIn(text) ?? []).map((pair) => {
    const [name = "", ...value] = pair.split("=");
    if (name === "" || value.length === 0)
      throw new CliFailure(exits.usage, `--${option} has “${pair}”: write ${example}.`);
    return [name, value.join("=")];
  });

/** `title=Task,list=Status` as the query that names columns. */
const columnsIn = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    pairsIn("columns", text, "title=Task,list=Status").map(([target, name]) => [
      `${target}Column`,
      name,
    ]),
  );

/** `Effort=number,Size=select` as the query that names the types of custom fields. */
function fieldsIn(text: string | undefined): Record<string, string> {
  const types = Object.fromEntries(pairsIn("fields", text, "Effort=number,Size=select"));
  return text === undefined ? {} : { fields: JSON.stringify(types) };
}

const Preview = z.object({
  program: z.string(),
  delimiter: z.string(),
  encoding: z.string(),
  columns: z.array(
    z.object({ name: z.string(), target: z.string().nullable(), examples: z.array(z.string()) }),
  ),
});

const csv = command(
  "wbs import csv",
  "Import the lines of a CSV file as the cards of a board",
  {
    file: { ...file, description: "The file" },
    board: {
      type: "string",
      description: "The name of the board (default: the name of the file)",
      valueHint: "name",
    },
    columns: {
      type: "string",
      description: "Which columns are what, such as title=Task,list=Status",
      valueHint: "names",
    },
    fields: {
      type: "string",
      description: "Which columns become custom fields, such as Effort=number,Size=select",
      valueHint: "types",
    },
    "date-order": {
      type: "string",
      description: "dmy or mdy, for dates such as 3/4/2026",
      valueHint: "order",
    },
    from: {
      type: "string",
      description: "The program that wrote the file, such as jira (default: its header tells)",
      valueHint: "program",
    },
    header: {
      type: "string",
      description: "The number of the line that names the columns, or none",
      valueHint: "line",
    },
    preview: { type: "boolean", description: "Show how the columns are read, and import nothing" },
    ...targetArgs,
    ...asJson,
  },
  async (args, api, signal) => {
    const { file: path, board, columns, fields, workspace, preview, json } = args;
    const order = args["date-order"];
    const query = {
      workspacePublicId: await findWorkspaceId(api, workspace),
      ...columnsIn(columns),
      ...fieldsIn(fields),
      ...(order === undefined ? {} : { dateOrder: order }),
      ...(args.from === undefined ? {} : { from: args.from }),
      ...(args.header === undefined ? {} : { header: args.header }),
    };
    const to = (kind: string, params: object) =>
      `/imports/csv${kind}?${new URLSearchParams({ ...query, ...params }).toString()}`;
    if (preview === true) {
      const progress = createProgress();
      const request = { path, to: to("/preview", {}), signal, progress };
      const csvPreview = await upload(api, Preview, request).finally(() => progress.end());
      if (json === true) return print(JSON.stringify(csvPreview));
      const { program, encoding, delimiter } = csvPreview;
      print(`A table of ${program}, in ${encoding}, separated by ${delimiter}`);
      for (const { name, target, examples } of csvPreview.columns)
        print(`  ${JSON.stringify(name)}: ${target ?? "not imported"} – ${examples.join(" | ")}`);
      return;
    }
    const boardName = board ?? basename(path, extname(path));
    const start = (progress: ReturnType<typeof createProgress>) =>
      upload(api, Import, { path, to: to("", { boardName }), signal, progress });
    await runImport(api, signal, start, json === true);
  },
);

const importedWorkspace = command(
  "wbs import workspace",
  "Create a workspace from an exported one",
  { file: { ...file, description: "The document or archive" }, ...asJson },
  async ({ file: path, json }, api, signal) => {
    const start = (progress: ReturnType<typeof createProgress>) =>
      upload(api, Import, { path, to: "/imports/workspace", signal, progress });
    await runImport(api, signal, start, json === true);
  },
);

/** The commands that import. */
export const imports = group(
  {
    name: "wbs import",
    description: "Import boards from Trello, GitHub, Planka, Kan or CSV, or an exported workspace",
  },
  { trello, github, planka, kan, csv, workspace: importedWorkspace },
);

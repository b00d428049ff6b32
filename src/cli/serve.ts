import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { checkArguments } from "./command.ts";
import { CliFailure, exits } from "./failure.ts";

// Twice this memory stays reserved for new objects: more saves no CPU. The heap grows by half between
// two collections, not to several times what is alive.
const options = ["--enable-source-maps", "--max-semi-space-size=8", "--heap-growing-percent=50"];

/** Runs a program of the service in a process of its own, and exits with its exit code. */
async function runProgram(path: string, programArgs: string[]): Promise<never> {
  const program = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(program)) {
    const how = "Start it in a clone with `npm start`, or install the package of the service.";
    throw new CliFailure(exits.usage, `This is only the command line of a service. ${how}`);
  }
  const service = spawn(process.execPath, [...options, program, ...programArgs], {
    stdio: "inherit",
  });
  process.on("SIGTERM", () => service.kill("SIGTERM"));
  // A terminal sends Ctrl-C to both processes. This one waits for the other.
  process.on("SIGINT", () => undefined);
  const [code] = await once(service, "exit");
  process.exit(typeof code === "number" ? code : 1);
}

/**
 * A command that runs a program of the service with the settings of the environment or a .env file:
 * the arguments that it was given follow `lead`.
 */
const program = <const Args extends ArgsDef>(
  {
    name,
    description,
    path,
    lead = [],
  }: Record<"name" | "description" | "path", string> & {
    lead?: string[];
  },
  args: Args,
): CommandDef<Args> =>
  defineCommand<Args>({
    meta: { name: `wbs ${name}`, description },
    args,
    async run({ args: given, rawArgs }) {
      checkArguments(rawArgs, args);
      const values: Record<string, unknown> = given;
      const passed = Object.entries<ArgsDef[string]>(args).flatMap(([key, { type }]) => {
        if (type === "positional") return String(values[key]);
        return values[key] === true ? `--${key}` : [];
      });
      await runProgram(path, [...lead, ...passed]);
    },
  });

const flag = (description: string) => ({ type: "boolean", description }) as const;
const folder = (description: string) =>
  ({ type: "positional", required: true, description }) as const;

/** Starts the service. */
export const serve = program(
  {
    name: "serve",
    description: "Start the service with the settings of the environment or a .env file",
    path: "../main.js",
  },
  { demo: flag("Fill an empty service with a sample workspace") },
);

/** Migrates the database, or lists what is missing. */
export const migrate = program(
  {
    name: "migrate",
    description: "Bring the database of the environment or a .env file up to date, and end",
    path: "../app/migrate.js",
  },
  {
    plan: flag("List what would run and what it locks; change nothing"),
    json: flag("Print JSON"),
  },
);

/** Checks an installation. */
export const doctor = program(
  {
    name: "doctor",
    description:
      "Check the settings of the environment or a .env file, and all that the service needs; " +
      "ends with 1 if something is wrong",
    path: "../app/doctor/main.js",
  },
  { json: flag("Print each finding as a line of JSON") },
);

/** Saves the database and its files. */
export const backup = program(
  {
    name: "backup",
    description: "Save the database of the environment or a .env file, and its files, in a folder",
    path: "../app/backup/main.js",
    lead: ["backup"],
  },
  {
    folder: folder("The new folder to write"),
    "without-files": flag("Leave out the attached files"),
    json: flag("Print what was saved as JSON"),
  },
);

/** Restores a backup into an empty database. */
export const restore = program(
  {
    name: "restore",
    description: "Restore a backup into the empty database of the environment or a .env file",
    path: "../app/backup/main.js",
    lead: ["restore"],
  },
  {
    folder: folder("The folder of a backup"),
    check: flag("Restore into a database that is thrown away"),
    json: flag("Print what was restored as JSON"),
  },
);

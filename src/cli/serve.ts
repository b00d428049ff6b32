import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineCommand, type ArgsDef } from "citty";
import { checkArguments } from "./command.ts";
import { CliFailure, exits } from "./failure.ts";

// A separate process, so that the other commands do not load the server.
const program = fileURLToPath(new URL("../main.js", import.meta.url));

// Twice this memory stays reserved for new objects: more saves no CPU. The heap grows by half between
// two collections, not to several times what is alive.
const options = ["--enable-source-maps", "--max-semi-space-size=8", "--heap-growing-percent=50"];

const args = {
  demo: { type: "boolean", description: "Fill an empty service with a sample workspace" },
} as const satisfies ArgsDef;

/** Starts the service and exits with its exit code. */
export const serve = defineCommand({
  meta: {
    name: "wbs serve",
    description: "Start the service with the settings of the environment or a .env file",
  },
  args,
  async run(context) {
    checkArguments(context.rawArgs, args);
    const ownArgs = context.args.demo === true ? ["--demo"] : [];
    if (!existsSync(program)) {
      const how = "Start it in a clone with `npm start`, or install the package of the service.";
      throw new CliFailure(exits.usage, `This is only the command line of a service. ${how}`);
    }
    const service = spawn(process.execPath, [...options, program, ...ownArgs], {
      stdio: "inherit",
    });
    process.on("SIGTERM", () => service.kill("SIGTERM"));
    // A terminal sends Ctrl-C to both processes. This one waits for the other.
    process.on("SIGINT", () => undefined);
    const [code] = await once(service, "exit");
    process.exit(typeof code === "number" ? code : 1);
  },
});

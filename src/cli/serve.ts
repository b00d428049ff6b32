import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { defineCommand } from "citty";

// A process of its own, so that the other commands do not load the server.
const program = fileURLToPath(new URL("../main.js", import.meta.url));

// Twice this memory stays reserved for new objects. More saves no CPU.
const options = ["--enable-source-maps", "--max-semi-space-size=8"];

/** Starts the service and exits with its exit code. */
export const serve = defineCommand({
  meta: {
    name: "wbs serve",
    description: "Start the service with the settings of the environment or a .env file",
  },
  async run() {
    const service = spawn(process.execPath, [...options, program], { stdio: "inherit" });
    process.on("SIGTERM", () => service.kill("SIGTERM"));
    // A terminal sends Ctrl-C to both processes. This one waits for the other.
    process.on("SIGINT", () => undefined);
    const [code] = await once(service, "exit");
    process.exit(typeof code === "number" ? code : 1);
  },
});

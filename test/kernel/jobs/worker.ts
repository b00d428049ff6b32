import { createWriteStream } from "node:fs";
import { pino } from "pino";
import { readConfig } from "../../../src/platform/config.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { createDeps } from "../../../src/app/deps.ts";
import { startWorkers } from "../../support/jobs.ts";

// Runs workers in a process, with a database and a mail server from its arguments.
const [, , , url = "", smtp = ""] = process.argv;
const log = pino({ level: "silent" });
const config = readConfig({ SMTP_URL: smtp, WORKERS: "2" });
const deps = await createDeps({
  config: { ...config, APP_SECRET: "a secret for tests, 32 characters" },
  log,
  db: await openDatabase(url, 4, log),
  stopping: () => false,
});
startWorkers(deps, config.WORKERS);
createWriteStream("", { fd: 1, autoClose: false }).write(`${JSON.stringify({ working: true })}\n`);

import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { parseEnv } from "node:util";
import type { Logger } from "pino";
import {
  readConfig,
  removedSettings,
  servesDemo,
  unknownSettings,
  type Config,
} from "./platform/config.ts";
import { createLogger, logDestination } from "./api/request-log.ts";
import { startTracing, stopTracing } from "./platform/tracing/tracing.ts";
import { readArguments, usage } from "./app/command-line.ts";
import { startDatabase, stopDatabase } from "./app/database.ts";
import { checkPorts } from "./app/free-port.ts";
import { demoUrl, startupMessage } from "./app/startup-message.ts";
import type { Service } from "./app/service.ts";

const envFile = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
if (existsSync(".env")) process.loadEnvFile(".env");

type StartedProcess = { started: Promise<Service>; stop: () => Promise<void> };

/** Starts the service; `stop` stops what has been started, also when the start fails. */
function start(config: Config, log: Logger): StartedProcess {
  const stopping = new AbortController();
  // The modules are loaded while the database starts.
  const checked = checkPorts(config);
  const database = checked.then(() => startDatabase(config, log));
  const loaded = Promise.all([import("./app/service.ts"), checked, startTracing(config, log)]);
  const started = loaded.then(([{ startService }]) =>
    startService(config, log, database, stopping.signal),
  );
  const stop = () => {
    stopping.abort(new Error("The start was stopped."));
    const stopped = started.then(
      (service) => service.stop(),
      () => stopDatabase(database),
    );
    return stopped.finally(stopTracing);
  };
  return { started, stop };
}

/** Stops what runs, and ends the process even if something is left open. */
async function end(stop: (() => Promise<void>) | undefined, code: number, log?: Logger) {
  try {
    await stop?.();
    process.exit(code);
  } catch (error) {
    log?.error({ err: error }, "shutdown failed");
    process.exit(1);
  }
}

let stop: (() => Promise<void>) | undefined;
let isStopping = false;
try {
  const { demo: wantsDemo, help } = readArguments(process.argv.slice(2));
  if (help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const config = readConfig(process.env);
  const log = createLogger(config.LOG_LEVEL, await logDestination());
  for (const text of [...removedSettings(process.env), ...unknownSettings(envFile)]) log.warn(text);
  process.on("uncaughtExceptionMonitor", (error, origin) =>
    log.fatal({ err: error, origin }, "the process ends with an error"),
  );
  // Node.js 22 and newer store the compiled modules for the next start.
  if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") {
    module.enableCompileCache();
  }
  const service = start(config, log);
  ({ stop } = service);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      log.info({ signal }, "stopping");
      void end(stop, 0, log);
    });
  }
  const { url, isNew } = await service.started;
  const isDemo = isNew && wantsDemo;
  const hasDemo = servesDemo(config);
  process.stdout.write(startupMessage(url, { isNew: isNew && !isDemo, hasDemo }));
  if (isDemo) {
    const { seed, signInText } = await import("./cli/sample-workspace.ts");
    // Its sign-in is the last line, and not among those of a hundred calls.
    if (log.isLevelEnabled("info")) log.level = "warn";
    const seeded = await seed(url).finally(() => (log.level = config.LOG_LEVEL));
    const open = hasDemo ? `\n  Open      ${demoUrl(url, seeded)}` : "";
    process.stdout.write(`\n${signInText(seeded)}${open}\n`);
  } else if (wantsDemo) {
    const hint = `npx ${url}/docs/wbs.tgz seed --url ${url}\nadds the sample workspace.`;
    process.stdout.write(
      `\n--demo changes nothing: the database is not empty. This command\n${hint}\n`,
    );
  }
} catch (error) {
  // A start that a signal ends fails too, and the signal's handler ends the process.
  if (!isStopping) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    await end(stop, 1);
  }
}

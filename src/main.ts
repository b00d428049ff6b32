import { existsSync } from "node:fs";
import module from "node:module";
import { readConfig, servesDemo } from "./platform/config.ts";
import { createLogger, logDestination } from "./api/request-log.ts";
import { startDatabase } from "./app/database.ts";
import { demoUrl, startupMessage } from "./app/startup-message.ts";

if (existsSync(".env")) process.loadEnvFile(".env");

try {
  const config = readConfig(process.env);
  const log = createLogger(config.LOG_LEVEL, await logDestination(config));
  // Node.js 22 and newer store the compiled modules for the next start.
  if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") {
    module.enableCompileCache();
  }
  // The modules are loaded while the database starts.
  const database = startDatabase(config, log);
  const starting = Promise.all([import("./app/service.ts"), database]).then(([{ startService }]) =>
    startService(config, log, database),
  );
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      log.info({ signal }, "stopping");
      void starting
        .then((service) => service.stop())
        .then(
          () => process.exit(0),
          (error: unknown) => {
            log.error({ err: error }, "shutdown failed");
            process.exit(1);
          },
        );
    });
  }
  const { url, isNew } = await starting;
  const isDemo = isNew && process.argv.includes("--demo");
  const hasDemo = servesDemo(config);
  process.stdout.write(startupMessage(url, { isNew: isNew && !isDemo, hasDemo }));
  if (isDemo) {
    const { seed, signInText } = await import("./cli/sample-workspace.ts");
    const seeded = await seed(url);
    const open = hasDemo ? `\n  Open      ${demoUrl(url, seeded)}` : "";
    process.stdout.write(`\n${signInText(seeded)}${open}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

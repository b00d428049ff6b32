import { existsSync } from "node:fs";
import { readConfig } from "./platform/config.ts";
import { createLog } from "./api/request-log.ts";
import { startService } from "./app/service.ts";
import { welcome } from "./app/welcome.ts";

if (existsSync(".env")) process.loadEnvFile(".env");

try {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  const starting = startService(config, log);
  let asked = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      log.info({ signal }, "stopping");
      void starting
        .then((service) => service.stop())
        .then(
          () => process.exit(0),
          (error: unknown) => {
            log.error({ err: error }, "did not stop cleanly");
            process.exit(1);
          },
        );
    });
  }
  const { url, isNew } = await starting;
  process.stdout.write(welcome(url, isNew));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

import { resolve } from "node:path";
import { createRunnableDevEnvironment, resolveConfig } from "vite";

// Runs the TypeScript program `process.argv[2]`. Unlike vite's `runnerImport`, the module runner
// stays open: the service imports some modules at their first use.
const config = await resolveConfig(
  {
    configFile: false,
    envDir: false,
    cacheDir: process.cwd(),
    environments: {
      program: {
        consumer: "server",
        dev: { moduleRunnerTransform: true },
        resolve: { external: true, mainFields: [], conditions: ["node", "module-sync"] },
      },
    },
  },
  "serve",
);
const environment = createRunnableDevEnvironment("program", config, {
  runnerOptions: { hmr: { logger: false } },
  hot: false,
});
await environment.init();
await environment.runner.import(resolve(process.argv[2]));

import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../src/platform/db/migrate.ts";
import { endOfService } from "../../src/platform/db/migration-plan.ts";
import { readMigrationNames } from "../../src/platform/db/migrations.ts";
import { startBuilt } from "../bench/servers.ts";
import { freshDatabase } from "../support/database.ts";
import { buildCommit } from "../support/earlier-build.ts";
import { startReceiver } from "../support/receiver.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { previousCommit, previousRelease } from "./previous-release.ts";
import { useService } from "./session.ts";

const { version, lastMigration } = previousRelease;
const commit = previousCommit();
const title = commit ? "" : ` (skipped: git's history is not here)`;

test.runIf(commit)(
  `the release before serves a database while and after this one migrates it${title}`,
  async () => {
    const { program, remove } = await buildCommit(commit ?? "");
    onTestFinished(remove);
    // The document of this version is not that of the bodies that the release before sends.
    const receiver = await startReceiver({ faultOf: () => undefined });
    onTestFinished(() => receiver.close());
    const { url: databaseUrl, drop } = await freshDatabase({ empty: true });
    onTestFinished(drop);
    const env = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" };
    const secret = randomBytes(32).toString("hex");
    const common = { databaseUrl, secret, env, cwd: await temporaryDirectory() };
    const running = await startBuilt({ ...common, program });
    onTestFinished(() => running.stop());
    await useService(running.origin, receiver);

    let isMigrated = false;
    const migrating = migrate(databaseUrl, pino({ level: "silent" })).finally(() => {
      isMigrated = true;
    });
    do await useService(running.origin, receiver);
    while (!isMigrated);
    await migrating;
    await useService(running.origin, receiver);
    const restarted = await startBuilt({ ...common, program });
    onTestFinished(() => restarted.stop());
    await useService(restarted.origin, receiver);
    const current = await startBuilt(common);
    onTestFinished(() => current.stop());
    await useService(current.origin, receiver);
    await useService(running.origin, receiver);
    for (const { origin } of [running, restarted, current])
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  },
);

test("no migration ends service for the release before", async () => {
  const names = await readMigrationNames();
  const known = new Set(names.filter((name) => name <= lastMigration));
  expect(known).toContain(lastMigration);
  expect(endOfService(known, names, version)).toBeUndefined();
});

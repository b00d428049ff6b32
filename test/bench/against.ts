import { buildCommit } from "../support/earlier-build.ts";
import { startBuilt, type Server } from "./servers.ts";
import { withDatabase } from "./setting.ts";

/** The service as it was at a commit, on a PostgreSQL of its own. */
export type Earlier = {
  name: string;
  server: Server;
  databaseUrl: string;
  databaseCpu: () => Promise<number>;
};

/** Runs a benchmark beside the service of a commit; without one, alone. */
export async function beside(
  commit: string | undefined,
  options: { isDurable: boolean; env: Record<string, string> },
  run: (earlier: Earlier | undefined) => Promise<void>,
): Promise<void> {
  if (commit === undefined) return run(undefined);
  const { program, remove } = await buildCommit(commit);
  try {
    await withDatabase(
      async ({ atEnd, databaseCpu, ...common }) => {
        const server = await startBuilt({ ...common, env: options.env, program });
        atEnd(() => server.stop());
        await run({ name: commit, server, databaseUrl: common.databaseUrl, databaseCpu });
      },
      { ...options, isMigrated: false },
    );
  } finally {
    await remove();
  }
}

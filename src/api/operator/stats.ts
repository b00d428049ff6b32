import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { Bytes } from "../../contract/vocabulary/texts.ts";
import { readBacklog } from "../../kernel/jobs/lag.ts";
import { rest } from "../../kernel/request/rest.ts";
import { router } from "../../kernel/request/trpc.ts";
import { countAll, ofCounted } from "./count.ts";
import { sql } from "../../platform/db/sql.ts";

const Counts = z.object(
  ofCounted((resource) =>
    z.int().meta({ description: `The number of ${resource}.`, examples: [120] }),
  ),
);
const StatsTable = Counts.keyof().meta({
  id: "StatsTable",
  description: "A kind of row that the statistics count.",
});
const Stats = z
  .object({
    counts: Counts.meta({
      description: "Live rows of each resource, without the trash.",
    }),
    estimated: z
      .array(StatsTable)
      .meta({ examples: [["events"]], description: "Counts that are estimates of the database." }),
    databaseBytes: Bytes.meta({
      description: "The size of the database, in bytes.",
      examples: [48213775],
    }),
    pendingDeliveries: z.int().meta({
      description: "The number of deliveries that are waiting for an attempt.",
      examples: [3],
    }),
    queue: z
      .object({
        waiting: z.int().meta({ examples: [1], description: "Due jobs." }),
        lagSeconds: z
          .number()
          .meta({ examples: [0.4], description: "Age of the oldest due job, in seconds." }),
      })
      .meta({ description: "The job queue." }),
  })
  .meta({ id: "Stats", description: "Statistics of the service, for its operator." });

/** Returns the size of the service and the backlog of its workers, for the operator. */
const getStats = query("stats.get")
  .meta(
    rest("Health").get(
      "/stats",
      "Get service statistics",
      "Returns statistics of the service for its operator. It requires the `ADMIN_KEY` in " +
        "`X-Admin-Key`, or a session of an operator's account. Counts of tables with more than " +
        "100,000 rows are estimates. Returns 403 " +
        "if the service has no `ADMIN_KEY`.",
    ),
  )
  .output(Stats)
  .query(async ({ ctx: { db, deps } }) => {
    const { counts, estimated } = await countAll(db.query);
    const { pendingDeliveries, ...queue } = await readBacklog(db.query, deps.clock());
    const [size] = await db.query<{ bytes: bigint }>(
      sql`SELECT pg_database_size(current_database()) AS bytes`,
    );
    return {
      counts: Counts.parse(Object.fromEntries(counts)),
      estimated,
      databaseBytes: Number(size?.bytes ?? 0),
      pendingDeliveries,
      queue,
    };
  });

/** The operator's statistics. */
export const stats = router({ get: getStats });

import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { Bytes } from "../../contract/vocabulary/fields.ts";
import { readBacklog } from "../../kernel/jobs/lag.ts";
import { rest } from "../../kernel/request/rest.ts";
import { router } from "../../kernel/request/trpc.ts";
import { countAll, type Counted } from "./count.ts";
import { sql } from "../../platform/db/sql.ts";

const number = (what: string, example: number) =>
  z.int().meta({ description: `The number of ${what}.`, examples: [example] });
const Counts = z.object({
  users: number("users", 120),
  sessions: number("sessions", 240),
  apiKeys: number("API keys", 35),
  workspaces: number("workspaces", 18),
  members: number("members", 190),
  roles: number("roles", 58),
  invites: number("invites", 6),
  boards: number("boards", 74),
  lists: number("lists", 302),
  cards: number("cards", 9410),
  labels: number("labels", 420),
  checklists: number("checklists", 1204),
  checklistItems: number("checklist items", 6018),
  comments: number("comments", 11530),
  attachments: number("attachments", 640),
  events: number("events", 412000),
  notifications: number("notifications", 20431),
  webhooks: number("webhooks", 9),
  deliveries: number("deliveries", 30112),
  integrations: number("integrations", 12),
  imports: number("imports", 4),
  jobs: number("jobs", 5),
}) satisfies z.ZodType<Record<Counted, number>>;
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
        "`X-Admin-Key`. Counts of tables with more than 100,000 rows are estimates. Returns 403 " +
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

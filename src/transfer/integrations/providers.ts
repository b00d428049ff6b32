import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** The services to connect to. Trello's credentials come with each call and are not stored. */
export const providers = ["github", "trello"] as const;

const Provider = z
  .object({
    provider: z.enum(providers),
    connected: z.boolean(),
    account: z.string().nullable(),
    scopes: z.array(z.string()),
    connectedAt: Timestamp.nullable(),
  })
  .meta({ id: "ProviderStatus" });

/** Lists the caller's connections, without tokens. */
export const listProviders = query("integration.providers")
  .meta(
    rest("Integrations").get(
      "/integration/providers",
      "List your connections",
      "Returns the services that can be connected, and the caller's connections. Trello needs no " +
        "connection: its key and token come with each call.",
    ),
  )
  .output(z.array(Provider))
  .query(async ({ ctx: { caller, db } }) => {
    const rows = await db.integration.findMany({ where: { userId: caller.userId } });
    return providers.map((provider) => {
      const row = rows.find((one) => one.provider === provider);
      return {
        provider,
        connected: row !== undefined,
        account: row?.account ?? null,
        scopes: row?.scopes ?? [],
        connectedAt: row === undefined ? null : iso(row.createdAt),
      };
    });
  });

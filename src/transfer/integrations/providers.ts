import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { iso, Timestamp } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** The services to connect to. Trello's credentials come with each call and are not stored. */
const providers = ["github", "trello"] as const;

/** A service that can be connected. */
export const IntegrationProvider = z
  .enum(providers)
  .meta({ id: "IntegrationProvider", description: "A service that can be connected." });

const Provider = z
  .object({
    provider: IntegrationProvider,
    connected: z.boolean().meta({ description: "Whether the caller has a connection." }),
    account: z
      .string()
      .nullable()
      .meta({
        description: "The name of the account at the service. Null if not connected.",
        examples: ["ada"],
      }),
    scopes: z
      .array(z.string())
      .meta({ description: "The scopes that the user has granted.", examples: [["read:project"]] }),
    connectedAt: Timestamp.nullable().meta({
      description: "When the connection was made, in UTC. Null if not connected.",
      examples: ["2026-01-31T10:00:00.000Z"],
    }),
  })
  .meta({
    id: "ProviderStatus",
    description: "A service that can be connected, and the caller's connection to it.",
  });

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
      const row = rows.find((integration) => integration.provider === provider);
      return {
        provider,
        connected: row !== undefined,
        account: row?.account ?? null,
        scopes: row?.scopes ?? [],
        connectedAt: row === undefined ? null : iso(row.createdAt),
      };
    });
  });

import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** The services that can be connected; Trello's credentials come with each call and are never kept. */
export const providers = ["github", "trello"] as const;

const Provider = z
  .object({
    provider: z.enum(providers),
    connected: z.boolean(),
    account: z.string().nullable(),
    scopes: z.array(z.string()),
    connectedAt: Timestamp.nullable(),
  })
  .meta({ id: "Provider" });

/** Which other services the caller has connected; never a token. */
export const listProviders = query("integration.providers")
  .meta(
    rest("Integrations").get(
      "/integration/providers",
      "List my connections",
      "The services that can be connected, and whether the caller has. Trello's key and token come with each call instead.",
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

import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { IntegrationProvider } from "./providers.ts";

/** Deletes a connection with its tokens. */
export const disconnect = mutation(
  "integration.disconnect",
  z.strictObject({ provider: IntegrationProvider }),
)
  .meta(
    rest("Integrations").post(
      "/integration/disconnect",
      "Disconnect a service",
      "Deletes the caller's connection to a service with its tokens. If there is no connection, " +
        "nothing changes.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx }, input: { provider } }) => {
    await tx.prisma.integration.deleteMany({ where: { userId: caller.userId, provider } });
    return success;
  });

import { z } from "zod";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { deviceName } from "./apps.ts";
import { confirmConnection, decisionFields } from "./connect.ts";
import { findDevice, unknownCode, UserCode, type WaitingDevice } from "./device-codes.ts";

const Decision = z.strictObject({ userCode: UserCode, ...decisionFields });

/** Allows or denies what a program asks for. Only a person who is signed in decides. */
export const decideDevice = externalMutation("oauth.decideDevice", Decision)
  .meta(
    rest("OAuth").post(
      "/oauth/device/decide",
      "Answer a program's request",
      "Connects the program that shows a code to the caller's account, or refuses it. It never may " +
        "do more than the caller at the time of a call. To allow everything, instead of one " +
        "workspace or board, requires the account's password. The owner is notified by mail. " +
        "`auth.revokeApiKey` disconnects it. Returns 400 if the code is wrong, has expired or was " +
        "used.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const device = await findDevice(ctx, ctx.caller, ctx.db.query, input.userCode);
    const { app, resource, mayWrite, expiresAt } = device;
    if (!input.allow) {
      await ctx.transact((tx) => decide(tx, device, sql`"deniedAt" = ${tx.now}::timestamptz`));
      return success;
    }
    const connect = await confirmConnection(ctx, input);
    await ctx.transact(async (tx) => {
      const name = deviceName(app);
      const keyId = await connect(tx, {
        appId: app.id,
        name,
        target: { resource, mayWrite },
        expiresAt,
      });
      await decide(tx, device, sql`"keyId" = ${keyId}`);
    });
    return success;
  });

/** Stores a decision; 400 if somebody has decided meanwhile. */
async function decide({ query, now }: UnitOfWork, { id }: WaitingDevice, decision: Sql) {
  const rows = await query(sql`UPDATE device_codes SET ${decision}
    WHERE id = ${id} AND "keyId" IS NULL AND "deniedAt" IS NULL
      AND "expiresAt" > ${now}::timestamptz RETURNING id`);
  if (rows.length === 0) throw unknownCode();
}

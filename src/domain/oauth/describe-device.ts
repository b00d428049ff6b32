import { z } from "zod";
import { DeviceRequest } from "../../contract/resources/oauth.ts";
import { externalQuery } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { describeTo } from "./describe.ts";
import { findDevice, UserCode } from "./device-codes.ts";

/** Says which program shows a code. */
export const describeDevice = externalQuery(
  "oauth.describeDevice",
  z.strictObject({ userCode: UserCode }),
)
  .meta(
    rest("OAuth").post(
      "/oauth/device/describe",
      "Describe a program's request",
      "Says which program shows a code and what it wants, for a page that asks the caller. Anybody " +
        "can start a request in the name of any app: ask the person whether they see the code in a " +
        "program that they have just started. Returns 400 if the code is wrong, has expired or was " +
        "used; such guesses are limited.",
    ),
  )
  .output(DeviceRequest)
  .query(async ({ ctx, input: { userCode } }) => {
    const device = await findDevice(ctx, ctx.caller, ctx.db.query, userCode);
    return {
      startedAt: device.createdAt.toISOString(),
      ...(await describeTo(ctx, device.app, device)),
    };
  });

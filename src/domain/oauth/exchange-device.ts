import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Context } from "../../kernel/request/context.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { countUser } from "../auth/login.ts";
import { pollSeconds } from "./device-codes.ts";
import {
  checkResource,
  firstToken,
  grantOf,
  invalidGrant,
  type Grant,
  type Issued,
} from "./grants.ts";

type Input = {
  clientId: string;
  deviceCode?: string | undefined;
  resource?: string | undefined;
};
type Device = {
  id: bigint;
  keyId: bigint | null;
  deniedAt: Date | null;
  usedAt: Date | null;
  expiresAt: Date;
  polledAt: Date | null;
  pollSeconds: number;
};

/** Exchanges the device code of a program for a refresh token, or says why there is none yet. */
export async function exchangeDevice(
  tx: UnitOfWork,
  ctx: Context,
  { clientId, deviceCode, resource }: Input,
): Promise<Issued> {
  if (deviceCode === undefined) {
    throw badRequest("required", "The device_code is required.", ["deviceCode"]);
  }
  const [device] = await tx.query<Device>(sql`SELECT d.id, d."keyId", d."deniedAt", d."usedAt",
      d."expiresAt", d."polledAt", d."pollSeconds"
    FROM device_codes d JOIN apps a ON a.id = d."appId"
    WHERE d."codeHash" = ${fingerprint(deviceCode)} AND a."clientId" = ${clientId}
    FOR NO KEY UPDATE OF d`);
  if (device === undefined || device.usedAt !== null) {
    throw invalidGrant("The device_code is invalid, was used, or belongs to another app.");
  }
  if (device.deniedAt !== null) return denied;
  if (device.expiresAt <= tx.now) return expired;
  if (device.keyId === null) return poll(tx, device);
  const [grant] = await tx.query<Grant>(
    grantOf("device_codes", sql`t.id = ${device.id}`, sql`t.id`, tx.now),
  );
  if (grant === undefined) return denied;
  checkResource(ctx, resource, grant);
  // A refusal comes before the code is used.
  await ctx.prove?.(() => countUser(ctx.deps, grant.user));
  await tx.prisma.deviceCode.update({ where: { id: device.id }, data: { usedAt: tx.now } });
  return firstToken(tx, grant);
}

const denied: Issued = {
  code: "access_denied",
  message: "The person refused, or has disconnected the app.",
};
const expired: Issued = {
  code: "expired_token",
  message: "Nobody has decided in time. Start again.",
};

/** Remembers a poll while nobody has decided. One that comes too early makes the interval longer. */
async function poll({ prisma, now }: UnitOfWork, device: Device): Promise<Issued> {
  const { id, polledAt, pollSeconds: seconds } = device;
  const isTooFast = polledAt !== null && now.getTime() < polledAt.getTime() + seconds * 1_000;
  const interval = isTooFast ? seconds + pollSeconds : seconds;
  await prisma.deviceCode.update({
    where: { id },
    data: { polledAt: now, pollSeconds: interval },
  });
  return isTooFast
    ? { code: "slow_down", message: `Wait ${interval} s between two polls.` }
    : { code: "authorization_pending", message: "The person has not decided yet." };
}

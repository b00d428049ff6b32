import { randomBytes } from "node:crypto";
import { z } from "zod";
import { DeviceAuthorization } from "../../contract/resources/oauth.ts";
import { onlyReads } from "../../contract/vocabulary/oauth.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import {
  deviceMs,
  devicePath,
  newUserCode,
  pollSeconds,
  shownCode,
  userCodeHash,
} from "./device-codes.ts";
import { requireApp } from "./grants.ts";
import { asksToWrite, resourcePath } from "./request.ts";
import { ClientId, Resource, Scope } from "./token.ts";

/** The command line: an app of the service itself, which nobody has to register. */
const commandLine = { clientId: "wbs-cli", name: "wbs" };

const Start = z.strictObject({
  clientId: ClientId,
  scope: Scope("What the program asks for. By default both scopes."),
  resource: Resource("What the program wants to call. By default the tools for agents."),
});

/** Starts a request of a program without a browser (RFC 8628). */
export const startDevice = externalMutation("oauth.startDevice", Start)
  .meta(
    rest("OAuth").post(
      "/oauth/device",
      "Start a program's request",
      "Returns a code for a program without a browser to show, and one for it to poll " +
        "`oauth.token` with. A person enters the shown code at the address, within ten minutes. " +
        "`POST /oauth/device_authorization` does the same in the form of RFC 8628.",
      { errors: ["UNAUTHORIZED"] },
    ),
  )
  .output(DeviceAuthorization)
  .mutation(async ({ ctx, input: { clientId, scope, resource } }) => {
    const { baseUrl, limits } = ctx.deps;
    const path = resourcePath(resource, baseUrl);
    if (path === undefined) {
      throw badRequest("invalid_target", "The service has no such resource.", ["resource"]);
    }
    const target = { resource: baseUrl + path, mayWrite: !onlyReads(path) && asksToWrite(scope) };
    const deviceCode = randomBytes(32).toString("base64url");
    const userCode = await limits.signUp(ctx.requestMetadata.ip, () =>
      ctx.transact(async (tx) => {
        if (clientId === commandLine.clientId) await insertCommandLine(tx);
        await requireApp(tx, clientId);
        return insertDevice(tx, { clientId, deviceCode, ...target });
      }),
    );
    const verificationUri = baseUrl + devicePath;
    return {
      deviceCode,
      userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?user_code=${userCode}`,
      expiresIn: deviceMs / 1_000,
      interval: pollSeconds,
    };
  });

/** The row of the command line is there when it is used; it is purged like those of others. */
async function insertCommandLine({ query, now }: UnitOfWork): Promise<void> {
  const { clientId, name } = commandLine;
  await query(sql`INSERT INTO apps ("publicId", "clientId", name, "redirectUris", "createdAt")
    VALUES (${publicId()}, ${clientId}, ${name}, '{}', ${now}::timestamptz)
    ON CONFLICT ("clientId") DO NOTHING`);
}

type NewDevice = { clientId: string; deviceCode: string; resource: string; mayWrite: boolean };

/** Stores a request, and answers the code to show: another one if a live request has it. */
async function insertDevice(
  { query, now }: UnitOfWork,
  { clientId, deviceCode, resource, mayWrite }: NewDevice,
): Promise<string> {
  const expiresAt = new Date(now.getTime() + deviceMs);
  for (;;) {
    const userCode = shownCode(newUserCode());
    const rows = await query(sql`INSERT INTO device_codes ("appId", "codeHash", "userCodeHash",
        resource, "mayWrite", "pollSeconds", "createdAt", "expiresAt")
      SELECT id, ${fingerprint(deviceCode)}, ${userCodeHash(userCode)}, ${resource}, ${mayWrite},
        ${pollSeconds}::int, ${now}::timestamptz, ${expiresAt}::timestamptz
      FROM apps WHERE "clientId" = ${clientId} FOR KEY SHARE
      ON CONFLICT ("userCodeHash") DO NOTHING RETURNING id`);
    if (rows.length > 0) return userCode;
    // No row: the code is taken, or the app was purged this moment.
    await requireApp({ query }, clientId);
  }
}

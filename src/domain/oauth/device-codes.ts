import { randomInt } from "node:crypto";
import type { Caller } from "../../kernel/access/callers.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { Context } from "../../kernel/request/context.ts";
import { text } from "../../contract/vocabulary/texts.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import type { App } from "./apps.ts";
import type { Target } from "./request.ts";

/** The grant type of a program that polls with a device code (RFC 8628). */
export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";
/** The path of the page where a person enters a code. */
export const devicePath = "/oauth/device";
/** How long the codes of a program are valid, in ms. */
export const deviceMs = 10 * 60_000;
/** How long a program must wait between two polls, in seconds, and how much longer if it does not. */
export const pollSeconds = 5;

/** Letters that make no words, and that are not taken for digits. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const userCodeLength = 8;

/** A new code that a program shows, without its dash. */
export const newUserCode = (): string =>
  Array.from({ length: userCodeLength }, () => letters[randomInt(letters.length)]).join("");

/** A code as it is shown: `XXXX-XXXX`. */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The fingerprint of a code. People leave out the dash, or add spaces. */
export const userCodeHash = (typed: string): string =>
  fingerprint(typed.toUpperCase().replaceAll(/[^A-Z]/g, ""));

/** The code that a person enters. */
export const UserCode = text(1, 40).meta({
  description: "The code that the program shows. Case, dashes and spaces do not matter.",
  examples: ["WDJB-MJHT"],
});

/** 400: a code that is wrong, late or used. They are not told apart. */
export const unknownCode = () =>
  badRequest("user_code_unknown", "The code is wrong, has expired, or was used.", ["userCode"]);

/** A program that waits for a decision. */
export type WaitingDevice = Target & { id: bigint; createdAt: Date; expiresAt: Date; app: App };

/** The program that shows a code and waits. Wrong codes count for the caller. */
export function findDevice(
  { deps, requestMetadata: { ip } }: Pick<Context, "deps" | "requestMetadata">,
  { userId }: Pick<Caller, "userId">,
  query: Query,
  userCode: string,
): Promise<WaitingDevice> {
  return deps.limits.userCode(userId, ip, async () => {
    const [row] = await query<Omit<WaitingDevice, "app"> & AppColumns>(sql`SELECT d.id, d.resource,
        d."mayWrite", d."createdAt", d."expiresAt", a.id AS "appId", a."publicId", a."clientId",
        a.name, a."redirectUris", a."freshUntil"
      FROM device_codes d JOIN apps a ON a.id = d."appId"
      WHERE d."userCodeHash" = ${userCodeHash(userCode)} AND d."keyId" IS NULL
        AND d."deniedAt" IS NULL AND d."expiresAt" > ${deps.clock()}::timestamptz`);
    if (row === undefined) throw unknownCode();
    const { id, resource, mayWrite, createdAt, expiresAt, appId, ...app } = row;
    return { id, resource, mayWrite, createdAt, expiresAt, app: { id: appId, ...app } };
  });
}

type AppColumns = Omit<App, "id"> & { appId: bigint };

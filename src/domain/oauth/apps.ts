import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { vouchedBy, type ShownApp } from "../presenters/apps.ts";
import { shortened } from "../../platform/foreign-text.ts";

/** An app as it is stored. */
export type App = ShownApp & {
  id: bigint;
  redirectUris: string[];
  freshUntil: Date | null;
};

const longestName = 64;

/** The name of an app as its grants have it: with who vouches for it. */
export function grantName(app: Pick<App, "clientId" | "name">): string {
  const host = vouchedBy(app);
  const name = shortened(app.name, longestName);
  return host === null ? `${name}, unverified` : `${name} (${host})`;
}

/** The app with an id; undefined for an unknown one. */
export async function findApp(query: Query, clientId: string): Promise<App | undefined> {
  const [app] = await query<App>(sql`SELECT id, "publicId", "clientId", name, "redirectUris",
      "freshUntil" FROM apps WHERE "clientId" = ${clientId}`);
  return app;
}

/**
 * The name of an app that was connected with a code. Nobody vouches for it: a browser did not return
 * to an address of the app.
 */
export const deviceName = ({ name }: Pick<App, "name">): string =>
  `${shortened(name, longestName)} (by code)`;

import type { Query } from "../../platform/db/query.ts";
import { callersWith } from "./callers.ts";
import type { Credential } from "./credential.ts";

/** Which of many credentials are valid, in one statement per kind. */
export async function validCredentials(
  query: Query,
  credentials: readonly Credential[],
  now: Date,
): Promise<(credential: Credential) => boolean> {
  const valid = new Set<string>();
  for (const kind of ["session", "apiKey", "issuer"] as const) {
    const ids = credentials.filter((one) => one.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    const rows = await query<{ "of.id": string }>(callersWith(kind, [...new Set(ids)], now));
    for (const row of rows) valid.add(`${kind} ${row["of.id"]}`);
  }
  return ({ kind, id, expiresAt = Infinity }) =>
    valid.has(`${kind} ${id}`) && now.getTime() < expiresAt;
}

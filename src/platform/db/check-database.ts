import type pg from "pg";
import { openOwnConnection } from "./own-connection.ts";
import { codeOf } from "../error-code.ts";

/** Explanations of first connections that fail, with what to do, by error code or message. */
const faults: readonly [RegExp, string][] = [
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/,
    "Its certificate is signed by an authority that this machine does not know. Add " +
      "sslrootcert=/path/to/ca.pem with the certificate of that authority to DATABASE_URL, or " +
      "sslmode=no-verify to encrypt without a check.",
  ],
  [
    /ALTNAME_INVALID/,
    "Its certificate is for another host name. Write the name of the certificate in DATABASE_URL.",
  ],
  [/CERT_HAS_EXPIRED/, "Its certificate has expired."],
  [
    /does not support SSL/,
    "It accepts no TLS. Write sslmode=disable in DATABASE_URL if the network between is yours.",
  ],
  [
    /no encryption|SSL off/,
    "It refuses connections without TLS. Add sslmode=verify-full to DATABASE_URL.",
  ],
  [/^(?:28P01|28000) /, "It refuses the user or the password of DATABASE_URL."],
  [/^3D000 /, "Create the database that DATABASE_URL names."],
  [
    /^(?:ENOENT|EACCES).*(?:open|read)/,
    "A file that DATABASE_URL names (sslrootcert, sslcert, sslkey) cannot be read.",
  ],
  [
    /^(?:ENOENT|EACCES|ECONNREFUSED) .*s\.PGSQL/,
    "No server listens on that socket. `host` in DATABASE_URL is the folder of the socket.",
  ],
  [/^ECONNREFUSED /, "No server listens there. Check host and port of DATABASE_URL."],
  [/^(?:ENOTFOUND|EAI_AGAIN) /, "The host of DATABASE_URL has no address."],
  [
    /timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    "It does not answer. Check host and port of DATABASE_URL, and firewalls between.",
  ],
  [
    /unsupported startup parameter/,
    "A pooler refuses a parameter of DATABASE_URL. Remove it, or add it to " +
      "ignore_startup_parameters.",
  ],
  [/statement pooling mode/, "Set the pool_mode of the pooler to session, or connect directly."],
];

/** Adds to the error of a first connection what it means and what to do. */
function explainFault(error: unknown): Error {
  // An attempt at several addresses of a host fails with the error of each.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = first instanceof Error ? first.message : String(first);
  const [, meaning = ""] =
    faults.find(([fault]) => fault.test(`${codeOf(first)} ${message}`)) ?? [];
  return new Error(`The database cannot be used: ${message}. ${meaning}`.trim(), { cause: error });
}

/** Connects to a database before it is used. Throws an error that says what to do. */
export async function checkDatabase(url: string): Promise<void> {
  let isShared: boolean;
  try {
    isShared = await sharesSessions(url);
  } catch (error) {
    throw explainFault(error);
  }
  if (isShared)
    throw new Error(
      "DATABASE_URL leads to a pooler in transaction mode, which gives each transaction another " +
        "session. The service needs sessions of its own, for LISTEN, locks and settings. Set " +
        "pool_mode = session for this database, or connect directly.",
    );
}

const processOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid ?? 0;

/** Whether a connection shares its session: a pooler gives it to others between statements. */
async function sharesSessions(url: string): Promise<boolean> {
  const first = await openOwnConnection(url, "start");
  try {
    const mine = await processOf(first.client);
    const second = await openOwnConnection(url, "start");
    try {
      await second.client.query("BEGIN");
      return (await processOf(second.client)) === mine || (await processOf(first.client)) !== mine;
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}

import { hash, verify } from "@node-rs/argon2";
import type { Config } from "../../platform/config.ts";
import type { Query } from "../../platform/db/query.ts";
import { text } from "../../contract/vocabulary/fields.ts";
import { sql } from "../../platform/db/sql.ts";

const commonest = 3_000;

type Cost = Pick<Config, "PASSWORD_HASH_MEMORY">;

const argon2id = ({ PASSWORD_HASH_MEMORY: memoryCost }: Cost) => ({
  memoryCost,
  timeCost: 2,
  parallelism: 1,
});

// A hash of no password, which takes as long to compare as a real one.
const unmatched = ({ PASSWORD_HASH_MEMORY: memory }: Cost) =>
  `$argon2id$v=19$m=${memory},t=2,p=1$${base64(16)}$${base64(32)}`;

function base64(bytes: number) {
  return Buffer.alloc(bytes).toString("base64").replaceAll("=", "");
}

let common: Promise<Set<string>> | undefined;

// A megabyte that only those who set a password need.
async function loadCommon() {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].slice(0, commonest));
}

/** A password that is being set: 8 to 256 characters, and none of the 3,000 commonest, in whatever case. */
export const NewPassword = text(8, 256).refine(
  async (password) => !(await (common ??= loadCommon())).has(password.toLowerCase()),
  "Is one of the commonest passwords",
);

/** A password that is being compared: whatever its rules were when it was set. */
export const Password = text(1, 256);

// One password has several spellings in Unicode, and which is sent depends on the keyboard.
const spelled = (password: string) => password.normalize("NFKC");

/** Hashes a password with argon2id. It takes some 10 ms and 19 MiB, so never inside a transaction. */
export const hashPassword = (password: string, cost: Cost) =>
  hash(spelled(password), argon2id(cost));

/** Whether a password is the one that was hashed; without a hash it is not, and takes as long to say so. */
export async function isPassword(
  password: string,
  hashed: string | null | undefined,
  cost: Cost,
): Promise<boolean> {
  const same = await verify(hashed ?? unmatched(cost), spelled(password));
  return same && typeof hashed === "string";
}

/** Whether an account still has the password that was compared before the transaction began; nobody changes it before the transaction ends. */
export async function isStillPassword(
  query: Query,
  userId: bigint,
  hashed: string | null,
): Promise<boolean> {
  const rows = await query(
    sql`SELECT 1 FROM users WHERE id = ${userId} AND "passwordHash" IS NOT DISTINCT FROM ${hashed}
      FOR NO KEY UPDATE`,
  );
  return rows.length > 0;
}

import type { Config } from "../../platform/config.ts";
import type { Query } from "../../platform/db/query.ts";
import { isActiveAccount } from "../../kernel/access/active-account.ts";
import { networkOf } from "../../kernel/request/network.ts";
import { loadOnce } from "../../platform/load-once.ts";
import type { FairShare } from "../../platform/fair-share.ts";
import { text } from "../../contract/vocabulary/texts.ts";
import { sql } from "../../platform/db/sql.ts";

const commonPasswordCount = 3_000;

type Cost = Pick<Config, "PASSWORD_HASH_MEMORY">;

const argon2id = ({ PASSWORD_HASH_MEMORY: memoryCost }: Cost) => ({
  memoryCost,
  timeCost: 2,
  parallelism: 1,
});

// Has the cost of a real hash and matches no password.
const dummyHash = ({ PASSWORD_HASH_MEMORY: memory }: Cost) =>
  `$argon2id$v=19$m=${memory},t=2,p=1$${base64(16)}$${base64(32)}`;

function base64(bytes: number) {
  return Buffer.alloc(bytes).toString("base64").replaceAll("=", "");
}

// The list takes a megabyte and is needed only when a password is set.
const loadCommonPasswords = loadOnce(async () => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].slice(0, commonPasswordCount));
});

/** A new password: 8 to 256 characters and not among the 3,000 most common, in any case. */
export const NewPassword = text(8, 256)
  .refine(
    async (password) => !(await loadCommonPasswords()).has(password.toLowerCase()),
    "Must not be one of the 3,000 most common passwords",
  )
  .meta({
    description: "The new password: 8 to 256 characters, and not a common one.",
    examples: ["another horse, another staple"],
  });

/** A password to verify. The rules may have changed since it was set. */
export const Password = text(1, 256);

// Unicode has several encodings of one password, and keyboards differ.
const normalized = (password: string) => password.normalize("NFKC");

/** The call that needs a hash: its client's network waits for its turn. */
type HashCall = {
  deps: { config: Cost; hashing: FairShare };
  requestMetadata: { ip: string };
};

const inTurn = <Result>({ deps, requestMetadata }: HashCall, run: () => Promise<Result>) =>
  deps.hashing.run(networkOf(requestMetadata.ip), run);

/** Hashes a password with argon2id. It takes 10 ms and 19 MiB: never call it in a transaction. */
export const hashPassword = (password: string, call: HashCall) =>
  inTurn(call, async () => {
    const { hash } = await import("@node-rs/argon2");
    return hash(normalized(password), argon2id(call.deps.config));
  });

/** Whether a password matches a hash. Without a hash it takes the same time and returns false. */
export async function verifyPassword(
  password: string,
  hashed: string | null | undefined,
  call: HashCall,
): Promise<boolean> {
  const matches = await inTurn(call, async () => {
    const { verify } = await import("@node-rs/argon2");
    return verify(hashed ?? dummyHash(call.deps.config), normalized(password));
  });
  return matches && typeof hashed === "string";
}

/** Locks an account, and returns whether it is active and its password hash is still `hashed`. */
export async function lockIfPasswordUnchanged(
  query: Query,
  userId: bigint,
  hashed: string | null,
): Promise<boolean> {
  const rows = await query(
    sql`SELECT 1 FROM users u WHERE id = ${userId} AND ${isActiveAccount}
      AND "passwordHash" IS NOT DISTINCT FROM ${hashed} FOR NO KEY UPDATE`,
  );
  return rows.length > 0;
}

import type { Config } from "../../platform/config.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { PrismaTransaction } from "../../platform/db/transaction.ts";

/** Why an address may have no new account here, as a sentence; undefined when it may. */
export async function signUpRefusal(
  mode: Config["SIGN_UP"],
  db: Pick<DatabaseReader | PrismaTransaction, "member">,
  email: string,
): Promise<string | undefined> {
  if (mode === "closed") return "Sign-up is closed.";
  if (mode === "open") return undefined;
  const invited = await db.member.count({
    where: { email, status: "invited", workspace: { deletedAt: null } },
  });
  return invited === 0 ? "Sign-up is for those who have been invited." : undefined;
}

import { networkOf } from "../../kernel/request/network.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";

const mostAddresses = 500;

/** Whether an account has signed in from the network of a client address. */
export async function hasSignedInFrom(
  { session }: Pick<DatabaseReader, "session">,
  email: string,
  ip: string,
): Promise<boolean> {
  const rows = await session.findMany({
    where: { user: { email, deletedAt: null } },
    select: { ip: true },
    distinct: ["ip"],
    orderBy: { lastUsedAt: "desc" },
    take: mostAddresses,
  });
  const network = networkOf(ip);
  return rows.some((row) => row.ip !== null && networkOf(row.ip) === network);
}

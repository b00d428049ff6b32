import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";

const app = useApp();

// Operations on 50,000 cards use models, and take as long as the machine needs.
test("a transaction that uses models commits after more than 10 s", async () => {
  const { workspaces } = await app().db.transact(async (prisma, query) => {
    await prisma.workspace.count();
    for (let nth = 0; nth < 4; nth++) await query(sql`SELECT pg_sleep(3)`);
    return { workspaces: await prisma.workspace.count() };
  });
  expect(workspaces).toBeGreaterThanOrEqual(0);
});

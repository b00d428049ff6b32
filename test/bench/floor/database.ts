import pg from "pg";

/** One prepared statement, by its name. */
export type Statement = { name: string; text: string };

/** Runs a statement. */
export type Query = (statement: Statement, values: unknown[]) => Promise<any[]>;

/** As many connections as the service holds. */
export function openPool(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const query: Query = async (statement, values) =>
    (await pool.query({ ...statement, values })).rows;
  const transact = async <Result>(run: (query: Query) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const result = await run(
        async (statement, values) => (await client.query({ ...statement, values })).rows,
      );
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    } finally {
      client.release();
    }
  };
  return { query, transact };
}

/** What the handlers of the floor work with. */
export type Database = ReturnType<typeof openPool>;

/**
 * Joins that find who holds session `$1`, an active member of workspace `w` who has a permission,
 * on board `b`.
 */
export const allowed = (permission: string) => `
  JOIN sessions s ON s."publicId" = $1 AND s."revokedAt" IS NULL AND s."expiresAt" > now()
  JOIN users u ON u.id = s."userId" AND u."deletedAt" IS NULL
  JOIN members m ON m."workspaceId" = w.id AND m."userId" = u.id AND m.status = 'active'
  JOIN roles r ON r.id = m."roleId"
    AND coalesce((SELECT o.granted FROM member_overrides o WHERE o."memberId" = m.id AND o.permission = '${permission}'),
      '${permission}' = ANY(r.permissions))
    AND (b.visibility <> 'restricted' OR EXISTS (SELECT FROM board_members bm WHERE bm."boardId" = b.id AND bm."memberId" = m.id))`;

/** A moment as the service writes it. */
export const iso = (moment: Date | string | null) =>
  moment === null ? null : new Date(moment).toISOString();

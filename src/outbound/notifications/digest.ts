import { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import { digestMail, mostInOneMail } from "./digest-mail.ts";
import { selectNotifications, viewNotification, type NotificationRow } from "./view.ts";
import type { JobContext } from "../../kernel/jobs/run.ts";
import { sql } from "../../platform/db/sql.ts";

const unmailed = sql`"byMail" AND "mailedAt" IS NULL AND "readAt" IS NULL`;

const waiting = (since: Date) =>
  sql`SELECT "userId" FROM notifications WHERE ${unmailed}
  GROUP BY "userId" HAVING min("createdAt") <= ${since}::timestamptz ORDER BY "userId" LIMIT 500`;

const take = (userId: bigint, now: Date) =>
  sql`UPDATE notifications SET "mailedAt" = ${now}::timestamptz WHERE "userId" = ${userId} AND ${unmailed} RETURNING id`;

const show = `SELECT *, count(*) OVER () AS total
  FROM (${selectNotifications} AND n.id = ANY ($1::bigint[])) AS shown ORDER BY id LIMIT $2`;

/** Mails what has not been read in time: everything that somebody has not been mailed yet, in one mail, some time after the first of it. */
export async function digest(deps: Deps, _: unknown, { alive }: JobContext): Promise<void> {
  const { db, clock, config } = deps;
  const since = new Date(clock().getTime() - config.MAIL_DELAY * 1_000);
  for (;;) {
    const users = await db.read<{ userId: bigint }>(waiting(since));
    for (const { userId } of users) {
      await mailTo(deps, userId);
      await alive();
    }
    if (users.length === 0) return;
  }
}

/** Marks and queues in one transaction, so that nothing is mailed twice and nothing is lost. */
async function mailTo({ db, clock }: Deps, userId: bigint): Promise<void> {
  await db.transact(async (prisma, query) => {
    const tx = new UnitOfWork(prisma, query, clock(), []);
    const taken = await query<{ id: bigint }>(take(userId, tx.now));
    const rows = await query<NotificationRow & { total: bigint }>(show, [
      taken.map(({ id }) => id),
      mostInOneMail,
    ]);
    const [first] = rows;
    if (first === undefined) return;
    const { email } = await prisma.user.findUniqueOrThrow({ where: { id: userId } });
    const mail = digestMail(rows.map(viewNotification), Number(first.total));
    await queueMail(tx, { to: email, ...mail });
  });
}

import type { Deps } from "../../kernel/request/deps.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import type { JobContext } from "../../kernel/jobs/lease.ts";
import { timeZoneFor } from "../../kernel/time-zones.ts";
import { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { inOrder } from "../../platform/db/in-order.ts";
import { sql } from "../../platform/db/sql.ts";
import { cardPage, type CardIds } from "../../platform/frontend-pages.ts";
import { digestMail, maxInMail } from "./digest-mail.ts";
import { selectNotifications, viewNotification, type NotificationRow } from "./view.ts";

const unmailed = sql`"byMail" AND "mailedAt" IS NULL AND "readAt" IS NULL`;

const usersToMail = (since: Date) => sql`SELECT "userId" FROM notifications WHERE ${unmailed}
  GROUP BY "userId" HAVING min("createdAt") <= ${since}::timestamptz
  ORDER BY "userId" LIMIT 500`;

/** Mails each user their unread notifications, once the oldest is `MAIL_DELAY` seconds old. */
export async function digest(deps: Deps, _: unknown, { alive }: JobContext): Promise<void> {
  const { db, clock, config } = deps;
  const since = new Date(clock().getTime() - config.MAIL_DELAY * 1_000);
  for (;;) {
    const users = await db.read<{ userId: bigint }>(usersToMail(since));
    for (const { userId } of users) {
      await mailTo(deps, userId);
      await alive();
    }
    if (users.length === 0) return;
  }
}

/** Marks and queues in one transaction, so that every notification is mailed exactly once. */
async function mailTo({ db, clock, seal, config }: Deps, userId: bigint): Promise<void> {
  await db.transact(async (prisma, query) => {
    const tx = new UnitOfWork(prisma, query, clock(), []);
    const marked = await query<{ id: bigint }>(sql`
      UPDATE notifications SET "mailedAt" = ${tx.now}::timestamptz
      WHERE ${inOrder("notifications", sql`"userId" = ${userId} AND ${unmailed}`)} RETURNING id`);
    const ids = marked.map(({ id }) => id);
    const rows = await query<NotificationRow & { total: bigint }>(sql`
      SELECT *, count(*) OVER () AS total
      FROM (${selectNotifications(config)} AND n.id = ANY (${ids}::bigint[])) AS visible
      ORDER BY id LIMIT ${maxInMail}`);
    const [first] = rows;
    if (first === undefined) return;
    const user = await prisma.user.findUniqueOrThrow({ where: { id: userId } });
    const linkOf = (card: CardIds) => cardPage(config, card);
    const notifications = rows.map((row) => ({
      ...viewNotification(row),
      timeZone: timeZoneFor(user, row),
    }));
    const mail = digestMail(notifications, Number(first.total), linkOf);
    await queueMail(tx, { seal }, { to: user.email, ...mail });
  });
}

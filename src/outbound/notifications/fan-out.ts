import type { EventConsumer } from "../../kernel/events/consumers.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { candidates, matches, newWatchers, recipients } from "./recipients-sql.ts";
import { notificationsFor } from "./rules.ts";

// An invitation has its own mail.
const notified = `notified AS (
    INSERT INTO notifications ("publicId", "userId", "workspaceId", "eventId", "boardId", "cardId",
      type, data, "createdAt", "inApp", "byMail")
    SELECT ${newPublicIdSql('r."recipientId"')}, r."recipientId", $2::bigint, recorded.id,
      r."boardId", r."cardId", r.type, r.data, $10::timestamptz,
      r.app, r.mail AND r.type <> 'invited'
    FROM recipients r JOIN recorded ON recorded."publicId" = r."eventPublicId"
    WHERE r.app OR r.type <> 'invited')`;

/**
 * Writes the notifications of events, at most one for each recipient and card.
 *
 * `OFFSET 0` makes each lookup use its index, whatever number of rows the planner expects of JSON.
 */
export const notificationConsumer: EventConsumer = {
  inputOf: notificationsFor,
  ctes: (input) => [matches(input), candidates, newWatchers, recipients, notified].join(", "),
};

import { router } from "../../kernel/request/trpc.ts";
import { myCards } from "../../domain/users/cards.ts";
import { deleteMe } from "../../domain/users/delete.ts";
import { me } from "../../domain/users/me.ts";
import { notifications } from "../../outbound/notifications/list.ts";
import { preferences } from "../../domain/users/preferences.ts";
import { readAllNotifications } from "../../outbound/notifications/read-all.ts";
import { readNotification } from "../../outbound/notifications/read.ts";
import { streamUserEvents } from "../../outbound/stream/subscribe-user.ts";
import { updateMe } from "../../domain/users/update.ts";
import { updatePreferences } from "../../domain/users/update-preferences.ts";

/** The caller's own account. */
export const users = router({
  me,
  update: updateMe,
  delete: deleteMe,
  cards: myCards,
  notifications,
  stream: streamUserEvents,
  readNotification,
  readAllNotifications,
  preferences,
  updatePreferences,
});

import { router } from "../trpc.ts";
import { myCards } from "./cards.ts";
import { deleteMe } from "./delete.ts";
import { me } from "./me.ts";
import { notifications } from "./notifications.ts";
import { preferences } from "./preferences.ts";
import { readAllNotifications } from "./read-all-notifications.ts";
import { readNotification } from "./read-notification.ts";
import { updateMe } from "./update.ts";
import { updatePreferences } from "./update-preferences.ts";

/** The caller's own account. */
export const users = router({
  me,
  update: updateMe,
  delete: deleteMe,
  cards: myCards,
  notifications,
  readNotification,
  readAllNotifications,
  preferences,
  updatePreferences,
});

import { useEffect, useState } from "react";
import { Button, Dialog, DialogTrigger, Heading, Popover } from "react-aria-components";
import type { Notification } from "@workspace-board-service/client";
import { useNotifications } from "@workspace-board-service/client/react";
import { When } from "../components/parts.tsx";
import { hrefOf } from "../route.ts";
import { boards, messageOf } from "../service.ts";

/** The notifications of the user. A tab that nobody sees follows none. */
export function NotificationsButton() {
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const change = () => setIsVisible(!document.hidden);
    document.addEventListener("visibilitychange", change);
    return () => document.removeEventListener("visibilitychange", change);
  }, []);
  return isVisible ? <LiveButton /> : null;
}

function LiveButton() {
  const { data, error } = useNotifications();
  const items = data?.items ?? [];
  const unread = items.filter(({ isRead }) => !isRead).length;
  return (
    <DialogTrigger>
      <Button className="bell" aria-label={`Notifications: ${unread} unread`}>
        <svg viewBox="0 0 24 24" aria-hidden>
          <path d="M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6zM10 20h4" />
        </svg>
        {unread > 0 && <span className="count">{unread}</span>}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="notifications">
          {({ close }) => (
            <>
              <header>
                <Heading slot="title">Notifications</Heading>
                {unread > 0 && (
                  <button
                    type="button"
                    className="link"
                    onClick={() => void boards.user.readAllNotifications({})}
                  >
                    Mark all as read
                  </button>
                )}
              </header>
              {error !== undefined && <p role="alert">{messageOf(error)}</p>}
              {items.length === 0 && (
                <p className="hint">
                  Nothing yet. You are notified when someone assigns or mentions you.
                </p>
              )}
              <ul>
                {items.map((one) => (
                  <Entry key={one.publicId} notification={one} onOpen={close} />
                ))}
              </ul>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

const reasons: Record<Notification["type"], string> = {
  assigned: "assigned you to",
  mentioned: "mentioned you on",
  watched: "changed",
  due_soon: "Due soon:",
  invited: "invited you to",
  webhook_disabled: "A webhook was disabled in",
};

type EntryProps = { notification: Notification; onOpen: () => void };

function Entry({ notification, onOpen }: EntryProps) {
  const { publicId, type, actor, workspace, board, card, comment, isRead, createdAt } =
    notification;
  const href = board && hrefOf("board", board.publicId, ...(card ? [card.publicId] : []));
  return (
    <li className={isRead ? "" : "unread"}>
      <a
        href={href ?? hrefOf()}
        onClick={() => {
          onOpen();
          if (isRead) return;
          void boards.user.readNotification({ notificationPublicId: publicId, read: true });
        }}
      >
        {actor?.name} {reasons[type]}{" "}
        <strong>{card?.title ?? board?.name ?? workspace.name}</strong>
        {comment !== null && <q>{comment.excerpt}</q>}
        <When date={createdAt} />
      </a>
    </li>
  );
}

import { Button, Dialog, DialogTrigger, Heading, Popover } from "react-aria-components";
import type { Notification } from "@workspace-board-service/client";
import { useNotifications } from "@workspace-board-service/client/react";
import { Boundary } from "../components/boundary.tsx";
import { verbOf } from "../components/activity-list.tsx";
import { Icon } from "../components/icon.tsx";
import { When } from "../components/parts.tsx";
import { hrefOf } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";

/** How many notifications are unread, and a list of them. */
export function NotificationsButton() {
  const notifications = useNotifications();
  const unread = notifications.data?.items.filter(({ isRead }) => !isRead).length ?? 0;
  return (
    <DialogTrigger>
      <Button className="unread-count" aria-label={`Notifications: ${unread} unread`}>
        <Icon name="bell" />
        {unread > 0 && <span className="count">{unread}</span>}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="notifications">
          {({ close }) => (
            <Boundary name="The notifications">
              <List notifications={notifications} onOpen={close} />
            </Boundary>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

type ListProps = { notifications: ReturnType<typeof useNotifications>; onOpen: () => void };

function List({ notifications: { data, error }, onOpen }: ListProps) {
  const isUnread = data?.items.some(({ isRead }) => !isRead) === true;
  return (
    <>
      <header>
        <Heading slot="title">Notifications</Heading>
        {isUnread && (
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
      {data?.items.length === 0 && (
        <p className="hint">Nothing yet. You are notified when someone assigns or mentions you.</p>
      )}
      <ul>
        {data?.items.map((one) => (
          <Entry key={one.publicId} notification={one} onOpen={onOpen} />
        ))}
      </ul>
    </>
  );
}

const reasons: Record<Notification["type"], string> = {
  assigned: "assigned you to",
  mentioned: "mentioned you on",
  // The event says what happened.
  watched: "changed",
  due_soon: "Due soon:",
  invited: "invited you to",
  webhook_disabled: "A webhook was disabled in",
};

type EntryProps = { notification: Notification; onOpen: () => void };

function Entry({ notification, onOpen }: EntryProps) {
  const { publicId, type, event, actor, workspace, board, card, comment } = notification;
  const { isRead, createdAt, cardCount } = notification;
  const reason = type === "watched" && event !== null ? verbOf(event) : reasons[type];
  const href = board && hrefOf("board", board.publicId, ...(card ? [card.publicId] : []));
  return (
    <li className={isRead ? "" : "unread"}>
      <a
        href={href ?? hrefOf()}
        onClick={() => {
          onOpen();
          if (isRead) return;
          const input = { notificationPublicId: publicId, isRead: true };
          void boards.user.readNotification(input);
        }}
      >
        {actor?.name} {reason} <strong>{card?.title ?? board?.name ?? workspace.name}</strong>
        {cardCount > 1 && ` and ${cardCount - 1} other cards`}
        {comment !== null && <q>{comment.excerpt}</q>}
        <When date={createdAt} />
      </a>
    </li>
  );
}

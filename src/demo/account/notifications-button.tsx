import { useEffect } from "react";
import { Button, Dialog, DialogTrigger, Heading, Popover } from "react-aria-components";
import type { Notification } from "@workspace-board-service/client";
import { useNotifications, useStore } from "@workspace-board-service/client/react";
import { When } from "../components/parts.tsx";
import { hrefOf } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";

/** The events by which others notify the user. */
const notifying = ["card.member_added", "comment.created"] as const;

/** How many notifications are unread: read again when one may have come. */
function useUnread() {
  const store = useStore();
  const { data, reload } = useQuery("unread notifications", (signal) =>
    boards.user.notifications({ unread: true, limit: 50 }, { signal }),
  );
  useEffect(() => {
    const ends = notifying.map((type) => store.on(type, reload));
    addEventListener("focus", reload);
    return () => {
      for (const end of ends) end();
      removeEventListener("focus", reload);
    };
  }, [store, reload]);
  return { unread: data?.items.length ?? 0, reload };
}

/** How many notifications are unread; they are followed while they are shown. */
export function NotificationsButton() {
  const { unread, reload } = useUnread();
  return (
    <DialogTrigger>
      <Button className="unread-count" aria-label={`Notifications: ${unread} unread`}>
        <svg viewBox="0 0 24 24" aria-hidden>
          <path d="M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6zM10 20h4" />
        </svg>
        {unread > 0 && <span className="count">{unread}</span>}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="notifications">
          {({ close }) => <List onOpen={close} onRead={reload} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

type ListProps = { onOpen: () => void; onRead: () => void };

function List({ onOpen, onRead }: ListProps) {
  const { data, error } = useNotifications();
  const isUnread = data?.items.some(({ isRead }) => !isRead) === true;
  return (
    <>
      <header>
        <Heading slot="title">Notifications</Heading>
        {isUnread && (
          <button
            type="button"
            className="link"
            onClick={() => void boards.user.readAllNotifications({}).then(onRead)}
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
          <Entry key={one.publicId} notification={one} onOpen={onOpen} onRead={onRead} />
        ))}
      </ul>
    </>
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

type EntryProps = ListProps & { notification: Notification };

function Entry({ notification, onOpen, onRead }: EntryProps) {
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
          const input = { notificationPublicId: publicId, isRead: true };
          void boards.user.readNotification(input).then(onRead);
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

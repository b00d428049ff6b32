import { catalog } from "../../contract/events.ts";
import type { NotificationType } from "../../contract/vocabulary/notifications.ts";
import type { StoredActor } from "../../kernel/events/actor.ts";
import type { PendingEvent, WatchedCard } from "../../kernel/events/pending-event.ts";
import { mentionsOutsideCode } from "../../domain/mentions.ts";

const maxMentions = 100;

/** The members that a Markdown text mentions as `@[name](memberPublicId)`, each once; code does not. */
function mentionsIn(text: string | null): string[] {
  const ids = new Set<string>();
  for (const { name, memberPublicId: id } of mentionsOutsideCode(text ?? "")) {
    if (name.length <= 255 && id.length === 12) ids.add(id);
    if (ids.size === maxMentions) break;
  }
  return [...ids];
}

/** The members that a text mentions and its previous version did not. */
function newMentions(before: string | null, after: string | null): string[] {
  const earlier = new Set(mentionsIn(before));
  return mentionsIn(after).filter((id) => !earlier.has(id));
}

/** Who is notified: members by public id, or all with a relation to the card or workspace. */
export type Recipients = "members" | "invited" | "assignees" | "watchers" | "managers";

/** A rule's match for an event. A user gets the notification with the lowest `rank`. */
type Match = {
  rank: number;
  type: NotificationType;
  recipients: Recipients;
  memberPublicIds: string[];
};

/** A notification to write, with the event that causes it. */
export type PendingNotification = Match & {
  eventPublicId: string;
  /** The index of the event in its transaction. */
  index: number;
  cardPublicId: string | null;
  data: unknown;
};

const maxExcerpt = 280;

/** The notifications for the events of one transaction; `publicIds` are those of the events. */
export function notificationsFor(
  events: PendingEvent[],
  publicIds: string[],
  { type, publicId, name, userId }: Pick<StoredActor, "type" | "publicId" | "name" | "userId">,
): PendingNotification[] {
  // Imported assignments and comments are old, and there can be thousands.
  if (type === "import") return [];
  return events.flatMap((pending, index) => {
    const { type: event, data } = pending;
    const source = {
      eventPublicId: publicIds[index] ?? "",
      index,
      cardPublicId: textAt(data, "card", "publicId"),
      data: { event, actor: { type, publicId, name }, ...commentOf(data), ...webhookOf(data) },
    };
    return rules
      .map((rule) => rule(pending, userId))
      .filter((match) => match !== null)
      .map((match) => ({ ...match, ...source }));
  });
}

type Rule = (event: PendingEvent, actorId: bigint | null) => Match | null;

/** Notifies the members who are assigned to a card or a checklist item. */
const assignment: Rule = ({ type, data, changes }) => {
  const match = { rank: 1, type: "assigned" } as const;
  if (type === "card.created") {
    const isAssigned = hasMembers(data["card"]);
    return isAssigned ? { ...match, recipients: "assignees", memberPublicIds: [] } : null;
  }
  const member =
    type === "card.member_added"
      ? textAt(data, "member", "publicId")
      : type === "checklist_item.updated"
        ? text(changes?.["memberPublicId"]?.to)
        : null;
  return member === null ? null : { ...match, recipients: "members", memberPublicIds: [member] };
};

const hasMembers = (card: unknown) =>
  typeof card === "object" &&
  card !== null &&
  "members" in card &&
  Array.isArray(card.members) &&
  card.members.length > 0;

/** Notifies the members of new mentions in a description or a comment. */
const mention: Rule = (event) => {
  const memberPublicIds = mentionedBy(event);
  return memberPublicIds.length === 0
    ? null
    : { rank: 2, type: "mentioned", recipients: "members", memberPublicIds };
};

function mentionedBy({ type, data, changes }: PendingEvent): string[] {
  if (type === "comment.created") return mentionsIn(textAt(data, "comment", "comment"));
  if (type === "card.created") return mentionsIn(textAt(data, "card", "description"));
  const change =
    type === "comment.updated"
      ? changes?.["comment"]
      : type === "card.updated"
        ? changes?.["description"]
        : undefined;
  return change === undefined ? [] : newMentions(text(change.from), text(change.to));
}

/** Notifies the invited user. */
const invitation: Rule = ({ type, data }) => {
  const member = type === "member.invited" ? textAt(data, "member", "publicId") : null;
  return member === null
    ? null
    : { rank: 1, type: "invited", recipients: "invited", memberPublicIds: [member] };
};

/** Notifies the members who manage the workspace of a disabled webhook. */
const disabledWebhook: Rule = ({ type }) =>
  type === "webhook.disabled"
    ? { rank: 1, type: "webhook_disabled", recipients: "managers", memberPublicIds: [] }
    : null;

/** Notifies the watchers of a card of every activity, if another than its actor may be one. */
const watchedCard: Rule = ({ type, watched }, actorId) =>
  catalog[type].isActivity && type !== "card.created" && isWatchedByOthers(watched, actorId)
    ? { rank: 3, type: "watched", recipients: "watchers", memberPublicIds: [] }
    : null;

const isWatchedByOthers = (watched: PendingEvent["watched"], actorId: bigint | null) =>
  watched === undefined || (watched.watcherId !== null && watched.watcherId !== actorId);

/** The cards on which someone comments: the author watches them from now on. */
export const commentedCards = (
  events: readonly PendingEvent[],
  { type, userId }: Pick<StoredActor, "type" | "userId">,
): WatchedCard[] =>
  type === "import" || userId === null
    ? []
    : events.flatMap(({ type: event, watched }) =>
        event === "comment.created" && watched !== undefined ? watched : [],
      );

const rules = [assignment, mention, invitation, disabledWebhook, watchedCard];

function commentOf(data: Record<string, unknown>) {
  const publicId = textAt(data, "comment", "publicId");
  if (publicId === null) return {};
  const comment = textAt(data, "comment", "comment") ?? "";
  // The limit can split a surrogate pair.
  const start = comment.slice(0, maxExcerpt).replace(/[\ud800-\udbff]$/, "");
  return { comment: { publicId, excerpt: start === comment ? comment : `${start}…` } };
}

function webhookOf(data: Record<string, unknown>) {
  const publicId = textAt(data, "webhook", "publicId");
  return publicId === null ? {} : { webhook: { publicId, name: textAt(data, "webhook", "name") } };
}

const text = (value: unknown) => (typeof value === "string" ? value : null);

function textAt(data: Record<string, unknown>, resource: string, field: string): string | null {
  const value = data[resource];
  if (typeof value !== "object" || value === null) return null;
  return text(Object.entries(value).find(([key]) => key === field)?.[1]);
}

import type { PendingEvent } from "../../kernel/events/pending-event.ts";
import type { Actor } from "../../kernel/events/actor.ts";
import { catalog } from "../../contract/events.ts";
import { mentionsIn, newMentions } from "./mentions.ts";
import type { NotificationType } from "../../contract/vocabulary/notifications.ts";

/** What an event may have to tell, and whom: `members` by their public ids, or those whom `whom` says. The lowest `rank` is what somebody hears of several. */
export type Telling = {
  event: string;
  place: number;
  rank: number;
  type: NotificationType;
  whom: "named" | "invited" | "crew" | "watchers" | "managers";
  members: string[];
  card: string | null;
  data: unknown;
  /** Whoever wrote a comment watches its card from then on. */
  watches: boolean;
};

const longestExcerpt = 280;

/** What the events of one write have to tell; `ids` are their public ids. */
export function tellingsOf(
  announced: PendingEvent[],
  ids: string[],
  actor: Pick<Actor, "type" | "publicId" | "name">,
): Telling[] {
  // What was assigned or said elsewhere long ago is no news, least of all thousands of times.
  if (actor.type === "import") return [];
  return announced.flatMap((announcement, place) => {
    const { type: event, data } = announcement;
    const { type, publicId, name } = actor;
    const told = {
      event: ids[place] ?? "",
      place,
      card: at(data, "card", "publicId"),
      data: { event, actor: { type, publicId, name }, ...commentOf(data), ...webhookOf(data) },
      watches: event === "comment.created",
    };
    return [assigned(announcement), mentioned(announcement), others(announcement)]
      .filter((telling) => telling !== null)
      .map((telling) => Object.assign(telling, told));
  });
}

type Part = Pick<Telling, "rank" | "type" | "whom" | "members">;

function assigned({ type, data, changes }: PendingEvent): Part | null {
  const part = { rank: 1, type: "assigned" } as const;
  if (type === "card.created") return { ...part, whom: "crew", members: [] };
  const member =
    type === "card.member_added"
      ? at(data, "member", "publicId")
      : type === "checklist_item.updated"
        ? text(changes?.["memberPublicId"]?.to)
        : null;
  return member === null ? null : { ...part, whom: "named", members: [member] };
}

function mentioned({ type, data, changes }: PendingEvent): Part | null {
  const members =
    type === "comment.created"
      ? mentionsIn(at(data, "comment", "comment"))
      : type === "card.created"
        ? mentionsIn(at(data, "card", "description"))
        : type === "comment.updated" || type === "card.updated"
          ? changed(changes?.[type === "card.updated" ? "description" : "comment"])
          : [];
  return members.length === 0 ? null : { rank: 2, type: "mentioned", whom: "named", members };
}

const changed = (change: { from: unknown; to: unknown } | undefined) =>
  change === undefined ? [] : newMentions(text(change.from), text(change.to));

function others({ type, data }: PendingEvent): Part | null {
  const invited = type === "member.invited" ? at(data, "member", "publicId") : null;
  if (invited !== null) return { rank: 1, type: "invited", whom: "invited", members: [invited] };
  if (type === "webhook.disabled") {
    return { rank: 1, type: "webhook_disabled", whom: "managers", members: [] };
  }
  const history = catalog[type].isActivity && type !== "card.created";
  return history ? { rank: 3, type: "watched", whom: "watchers", members: [] } : null;
}

function commentOf(data: Record<string, unknown>) {
  const publicId = at(data, "comment", "publicId");
  if (publicId === null) return {};
  const whole = at(data, "comment", "comment") ?? "";
  const excerpt = whole.slice(0, longestExcerpt).replace(/[\ud800-\udbff]$/, "");
  return { comment: { publicId, excerpt: excerpt === whole ? whole : `${excerpt}…` } };
}

function webhookOf(data: Record<string, unknown>) {
  const publicId = at(data, "webhook", "publicId");
  return publicId === null ? {} : { webhook: { publicId, name: at(data, "webhook", "name") } };
}

const text = (value: unknown) => (typeof value === "string" ? value : null);

function at(data: Record<string, unknown>, thing: string, field: string): string | null {
  const value = data[thing];
  if (typeof value !== "object" || value === null) return null;
  return text(Object.entries(value).find(([key]) => key === field)?.[1]);
}

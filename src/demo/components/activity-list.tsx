import type { Activity } from "@workspace-board-service/client";
import { hrefOf } from "../base/route.ts";
import { useMembers } from "../base/use-workspace.ts";
import { Avatar } from "./avatar.tsx";
import { When } from "./parts.tsx";

type Props = { items: readonly Activity[]; workspace: string; board?: string };

/** What people did, as sentences. With a board, cards are links. */
export function ActivityList({ items, workspace, board }: Props) {
  const members = useMembers(workspace) ?? [];
  return (
    <ul className="activity">
      {items.map((activity) => {
        const { publicId, actor, createdAt } = activity;
        const card = resourceOf(activity, "card");
        const isLink = board !== undefined && card !== undefined;
        return (
          <li key={publicId}>
            <Avatar
              person={members.find(({ name }) => name === actor.name) ?? { name: actor.name }}
            />
            <div>
              <strong>{actor.name}</strong> {sentenceOf(activity)}{" "}
              {isLink && !activity.type.endsWith("deleted") ? (
                <a href={hrefOf("board", board, card.publicId)}>{card.title}</a>
              ) : (
                isLink && card.title
              )}
              <br />
              <When date={createdAt} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

type Named = { publicId: string; name?: string; title?: string };

/** A resource in the data of an event. */
const resourceOf = ({ data }: Activity, name: string) => data[name] as Named | undefined;

/** Past tenses that are not the name of the event. */
const verbs: Record<string, string> = {
  "card.created": "added",
  "card.label_added": "added a label to",
  "card.label_removed": "removed a label from",
  "card.member_added": "assigned someone to",
  "card.member_removed": "unassigned someone from",
  "comment.created": "commented on",
  "comment.updated": "edited a comment on",
  "comment.deleted": "deleted a comment on",
  "attachment.created": "added a file to",
  "attachment.deleted": "deleted a file of",
};

/** What somebody did to a card by an event of this type. */
export function verbOf(type: string): string {
  const [kind = ""] = type.split(".");
  const part = kind.replaceAll("_", " ");
  return verbs[type] ?? (kind === "card" ? doneIn(type) : `${doneIn(type)} a ${part} of`);
}

const doneIn = (type: string) => (type.split(".")[1] ?? "").replaceAll("_", " ");

/** What the actor of an event did; the name of its card follows. */
function sentenceOf(activity: Activity): string {
  const { type } = activity;
  const [kind = ""] = type.split(".");
  const verb = verbs[type];
  if (verb !== undefined) return verb;
  const done = doneIn(type);
  const [from, to] = ["from", "to"].map((name) => (resourceOf(activity, name) as Move)?.list?.name);
  if (type === "card.moved" && from !== to && to !== undefined) return `moved to ${to}:`;
  if (kind === "card") return done;
  const resource = resourceOf(activity, kind === "checklist_item" ? "item" : kind);
  return `${done} the ${kind.replace("_", " ")} ${resource?.name ?? resource?.title ?? ""}`;
}

type Move = { list?: { name?: string } } | undefined;

import { catalog } from "../../events/catalog.ts";
import { cut } from "../../events/cut.ts";
import { findIn, type Making } from "./home.ts";
import { retold } from "./ids.ts";
import type { On } from "./parts.ts";

// They happened before every event of this workspace that anybody may have read: whoever follows the feed is not told of them as news.
const insert = `INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity",
    "actorType", "actorPublicId", "actorName", data, changes, "transactionId", "createdAt")
  SELECT e."publicId", $2::bigint, e."boardPublicId", e."cardPublicId", e.type, true,
    e."actorType"::"ActorType", e."actorPublicId", e."actorName", e.data, e.changes, 0, e."createdAt"
  FROM json_to_recordset($1::json) AS e("publicId" text, "boardPublicId" text, "cardPublicId" text, type text,
    "actorType" text, "actorPublicId" text, "actorName" text, data jsonb, changes jsonb, "createdAt" timestamptz)`;

const known: Record<string, { isActivity: boolean }> = catalog;
const isHistory = (type: string) => Object.hasOwn(known, type) && known[type]?.isActivity === true;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Writes the histories of cards. Who did what is kept by name: its id leads to nobody here. */
export async function bringHistory(making: Making, cards: On[]): Promise<void> {
  const { work, ids, home, made, members, run } = making;
  const isMember = (id: string) => members.has(id);
  const { baseUrl } = run.deps;
  const rows = cards.flatMap(({ portion, boardPublicId }) =>
    portion.activity.flatMap((event, nth) => {
      const { publicId: sourceId, title: name, eventsBefore } = portion;
      if (!isHistory(event.type)) {
        const reason = `This service does not know what ${event.type} is.`;
        made.lose({ kind: "activity", sourceId, name, partly: true, reason });
        return [];
      }
      const data = retold(event.data, isMember, ids, baseUrl);
      const changes = retold(event.changes, isMember, ids, baseUrl);
      const { actor, type, createdAt } = event;
      return [
        {
          isMore: portion.isMore,
          publicId: ids(`${sourceId} ${eventsBefore + nth}`),
          boardPublicId,
          cardPublicId: ids(sourceId),
          type,
          actorType: actor.type,
          actorPublicId: actor.publicId === null ? null : ids(actor.publicId),
          actorName: actor.name,
          createdAt,
          ...cut({ data: isRecord(data) ? data : {}, changes: isRecord(changes) ? changes : null }),
        },
      ];
    }),
  );
  // A new card has no history; what is more of a card's may have been brought before.
  const asked = rows.flatMap(({ isMore, publicId }) => (isMore ? publicId : []));
  const there = await findIn(work.query, "events", home, asked);
  const fresh = rows.filter(({ publicId }) => !there.has(publicId));
  if (fresh.length > 0) await work.query(insert, [JSON.stringify(fresh), home.id]);
}

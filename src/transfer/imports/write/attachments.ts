import { viewAttachment } from "../../../domain/views/attachments.ts";
import { insertRows } from "../bulk/rows.ts";
import { remember } from "../bulk/imported.ts";
import { handOver } from "../files.ts";
import type { SourceAttachment } from "../model.ts";
import { momentOr, newRow, type Making, type Target } from "./step.ts";
import type { Cards, LookUp, Onto } from "./imported-card.ts";
import { sql } from "../../../platform/db/sql.ts";

type Fresh = { on: Onto; attachment: SourceAttachment };

/** Hangs attachments on cards that are not there yet: links, and files that have been fetched. */
export async function writeAttachments(
  making: Making,
  target: Target,
  onto: Cards,
  known: LookUp,
): Promise<void> {
  const { run, tx, made } = making;
  const fresh = await findRoom(making, onto, known);
  await checkSpace(making, fresh);
  const rows = await insertRows(
    tx.query,
    "attachments",
    fresh.map(({ on, attachment: { filename, url, createdAt, fetched } }) => ({
      ...newRow(making),
      cardId: on.id,
      kind: fetched === undefined ? "link" : "file",
      status: "stored",
      filename,
      contentType: fetched?.contentType ?? "text/uri-list",
      size: fetched === undefined ? null : BigInt(fetched.size),
      sha256: fetched?.sha256 ?? null,
      storageKey: fetched?.storageKey ?? null,
      url: fetched === undefined ? url : null,
      createdAt: momentOr(createdAt, tx.now),
    })),
  );
  made.add("attachment", "created", rows.length);
  await handOver(
    tx,
    rows.flatMap(({ storageKey }) => storageKey ?? []),
  );
  const api = `${run.deps.baseUrl}/api/v1`;
  const things = rows.map((row, place) => {
    const { on, attachment } = fresh[place] ?? {};
    const shown = viewAttachment(row, api);
    if (attachment?.upload !== undefined && attachment.fetched === undefined) {
      const { sourceId, filename: name } = attachment;
      made.lose({ kind: "attachment", sourceId, name, partly: true, reason: linked });
    }
    on?.tell.push(() => tx.emit("attachment.created", { attachment: shown, ...on.around }));
    return { kind: "attachment" as const, sourceId: attachment?.sourceId ?? "", targetId: row.id };
  });
  await remember(tx, run.row, target.board.id, things);
}

const stored = (id: bigint) =>
  sql`SELECT coalesce(sum(size), 0) AS size FROM attachments WHERE "workspaceId" = ${id} AND "storageKey" IS NOT NULL`;

/** Files that the workspace has no space for stay links; what was fetched of them goes when the import ends. */
async function checkSpace({ run, tx, home }: Making, fresh: Fresh[]) {
  if (!fresh.some(({ attachment }) => attachment.fetched)) return;
  await tx.lock("workspaces", [home.id]);
  const [row] = await tx.query<{ size: string }>(stored(home.id));
  let left = run.deps.config.ATTACHMENTS_QUOTA * 1024 * 1024 - Number(row?.size ?? 0);
  for (const { attachment } of fresh) {
    left -= attachment.fetched?.size ?? 0;
    if (left < 0) attachment.fetched = undefined;
  }
}

const linked = "The file itself has not been fetched: this is a link to it.";
const counts = (old: bigint[]) =>
  sql`SELECT "cardId", count(*) FROM attachments WHERE "cardId" = ANY(${old}::bigint[]) AND "deletedAt" IS NULL GROUP BY 1`;

/** The new attachments for which their cards have room. */
async function findRoom({ tx, made }: Making, onto: Cards, known: LookUp): Promise<Fresh[]> {
  const most = tx.limits.attachments;
  const old = [...onto.values()].flatMap(({ isNew, id }) => (isNew ? [] : [id]));
  const counted =
    old.length === 0 ? [] : await tx.query<{ cardId: bigint; count: bigint }>(counts(old));
  const countOf = new Map(counted.map(({ cardId, count }) => [cardId, Number(count)]));
  return [...onto].flatMap(([card, on]) => {
    const fresh: Fresh[] = [];
    for (const attachment of card.attachments) {
      const before = known({ kind: "attachment", sourceId: attachment.sourceId });
      if (before !== undefined) made.add("attachment", before.mine ? "created" : "alreadyThere");
      else fresh.push({ on, attachment });
    }
    for (const { attachment } of fresh.splice(Math.max(0, most - (countOf.get(on.id) ?? 0)))) {
      const { sourceId, filename: name } = attachment;
      made.lose({
        kind: "attachment",
        sourceId,
        name,
        reason: `A card has at most ${most} attachments.`,
      });
    }
    return fresh;
  });
}

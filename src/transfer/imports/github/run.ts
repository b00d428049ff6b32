import { z } from "zod";
import type { ImportContext } from "../job/context.ts";
import { source } from "../job/sources.ts";
import { Staging } from "../../../platform/storage/staging.ts";
import { writeBoardCards } from "../write/board-cards.ts";
import { writeBoard } from "../write/board.ts";
import type { SourceLabel } from "../write/model.ts";
import { connectedPeople, mappedPeople } from "../write/people.ts";
import { recordedIdentity } from "../write/recorded.ts";
import { mapItem, type MapContext } from "./map-item.ts";
import { columnsOf, labelsOf, listOf, mapProject, noStatus } from "./map-project.ts";
import { Item } from "../../integrations/github/project-items.ts";
import { apiOf, readProject, type Call, type ItemEntry } from "./read.ts";

/** Projects by their ids at GitHub, and the user whose connection reads them. */
export const GitHubInput = z.object({
  projectIds: z.array(z.string()),
  userId: z.string().regex(/^\d+$/),
});

const readSize = 200;
const cutName = "The name was cut to 36 characters.";
const invisible =
  "The connection may not read it: its repository is private, or it was deleted. Connect again.";

/** Imports projects (v2). Each is read to its end before anything of it is written. */
export const github = source(GitHubInput, async (context, { projectIds, userId }) => {
  const call = apiOf(context, BigInt(userId));
  for (const id of new Set(projectIds))
    await Staging.lend((staging) => importProject(context, call, id, staging));
});

async function importProject(
  context: ImportContext,
  call: Call,
  id: string,
  staging: Staging,
): Promise<void> {
  const project = await readProject(context, call, id, staging);
  if (project === null) {
    const reason = "GitHub has no such project, or the connection may not read it.";
    return context.pending.skip({ kind: "board", sourceId: id, reason });
  }
  const { head } = project;
  const columns = columnsOf(head);
  const { read: query } = context.deps.db;
  const connected = await connectedPeople(query, context.row);
  const byLogin = new Map([...connected, ...(await mappedPeople(query, context.row))]);
  const mapping: MapContext = { head, columns, byLogin };
  const { labels, lists, hasLoose } = await sortItems(context, staging, project.items, mapping);
  const identity = recordedIdentity(context.row);
  const writer = await writeBoard(
    { context, identity, hasHistory: false, board: null },
    mapProject(head, columns, { labels, hasLoose }, (issue) => context.pending.skip(issue)),
  );
  const read = async (entries: ItemEntry[]) =>
    (await readItems(staging, entries)).flatMap((item) => mapItem(item, mapping) ?? []);
  await writeBoardCards(writer, { lists, read });
}

const readItems = async (staging: Staging, entries: ItemEntry[]) =>
  (await staging.read(entries.map(({ at }) => at))).map((item) => Item.parse(item));

/** The items of each column in their order, and their labels. Invisible items are skipped. */
async function sortItems(
  context: ImportContext,
  staging: Staging,
  entries: ItemEntry[],
  mapping: MapContext,
) {
  const { head, columns } = mapping;
  const loose = noStatus(head);
  const lists = new Map(
    [loose, ...columns.lists.map(({ id }) => id)].map((id): [string, ItemEntry[]] => [id, []]),
  );
  const labels = new Map<string, SourceLabel>();
  for (let at = 0; at < entries.length; at += readSize) {
    const some = entries.slice(at, at + readSize);
    for (const [index, item] of (await readItems(staging, some)).entries()) {
      const entry = some[index];
      if (entry === undefined) continue;
      if (mapItem(item, mapping) === null) {
        context.pending.skip({ kind: "card", sourceId: item.id, reason: invisible });
        continue;
      }
      lists.get(listOf(head, columns, item))?.push(entry);
      for (const label of labelsOf(head, item)) {
        if (labels.has(label.sourceId)) continue;
        labels.set(label.sourceId, label);
        const { sourceId, name } = label;
        if (!sourceId.endsWith(`/label/${name.toLowerCase()}`))
          context.pending.skip({ kind: "label", sourceId, name, partly: true, reason: cutName });
      }
    }
    await context.flush();
  }
  const hasLoose = lists.get(loose)?.length !== 0;
  return { labels: [...labels.values()], lists: [...lists.values()], hasLoose };
}

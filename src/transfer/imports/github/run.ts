import { z } from "zod";
import { matcher } from "../people.ts";
import type { SourceLabel } from "../model.ts";
import type { ImportRun } from "../context.ts";
import { source } from "../sources.ts";
import { Staging } from "../staging.ts";
import { writeBoard } from "../write/board.ts";
import { writeInLists } from "../write/in-lists.ts";
import { mapItem, type Around } from "./map-item.ts";
import { columnsOf, labelsOf, listOf, mapProject, noStatus } from "./map.ts";
import { Item } from "./questions.ts";
import { asking, readProject, type Ask, type ItemEntry } from "./read.ts";

/** What is asked of GitHub: projects by their ids there, with the connection of a user. */
export const GitHubAsk = z.object({
  projectIds: z.array(z.string()),
  userId: z.string().regex(/^\d+$/),
});

/** Projects (v2) from GitHub, one after the other; of none anything is made before all of it has been read. */
export const github = source(GitHubAsk, async (run, { projectIds, userId }) => {
  const ask = asking(run, BigInt(userId));
  for (const id of new Set(projectIds)) {
    await Staging.lend((staging) => bring(run, ask, id, staging));
  }
});

async function bring(run: ImportRun, ask: Ask, id: string, staging: Staging): Promise<void> {
  const project = await readProject(run, ask, id, staging);
  if (project === null) {
    const reason = "GitHub has no such project, or the connection may not read it.";
    return run.pending.lose({ kind: "board", sourceId: id, reason });
  }
  const { head } = project;
  const columns = columnsOf(head);
  const { byLogin } = await matcher(run.deps.db.read, run.row.workspaceId);
  const around: Around = { head, columns, byLogin };
  const { labels, lists, loose } = await sort(run, staging, project.items, around);
  const target = await writeBoard(run, mapProject(head, columns, { labels, loose }));
  const read = async (entries: ItemEntry[]) =>
    (await itemsOf(staging, entries)).flatMap((item) => mapItem(item, around) ?? []);
  await writeInLists(run, target, { lists, read });
}

const itemsOf = async (staging: Staging, entries: ItemEntry[]) =>
  (await staging.read(entries.map(({ at }) => at))).map((item) => Item.parse(item));

const atOnce = 200;

/** The items of each column in their order, and their labels; those that the token may not see are left out. */
async function sort(run: ImportRun, staging: Staging, entries: ItemEntry[], around: Around) {
  const { head, columns } = around;
  const none = noStatus(head);
  const lists = new Map(
    [none, ...columns.lists.map(({ id }) => id)].map((id): [string, ItemEntry[]] => [id, []]),
  );
  const labels = new Map<string, SourceLabel>();
  for (let at = 0; at < entries.length; at += atOnce) {
    const some = entries.slice(at, at + atOnce);
    for (const [place, item] of (await itemsOf(staging, some)).entries()) {
      const entry = some[place];
      if (entry === undefined) continue;
      if (mapItem(item, around) === null) {
        const reason =
          "The connection may not see it: its repository is private, or it has been deleted there. Connecting anew may help.";
        run.pending.lose({ kind: "card", sourceId: item.id, reason });
        continue;
      }
      lists.get(listOf(head, columns, item))?.push(entry);
      for (const label of labelsOf(head, item))
        if (!labels.has(label.sourceId)) labels.set(label.sourceId, label);
    }
    await run.flush();
  }
  return {
    labels: [...labels.values()],
    lists: [...lists.values()],
    loose: lists.get(none)?.length !== 0,
  };
}

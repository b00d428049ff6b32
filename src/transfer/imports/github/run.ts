import { z } from "zod";
import { minFreeBytes } from "../../../platform/storage/free-space.ts";
import { Staging } from "../../../platform/storage/staging.ts";
import { Item } from "../../integrations/github/project-items.ts";
import type { ImportContext } from "../job/context.ts";
import { source } from "../job/sources.ts";
import { writeBoardCards } from "../write/board-cards.ts";
import { writeBoard } from "../write/board.ts";
import { connectedPeople, mappedPeople } from "../write/people.ts";
import { recordedWriter } from "../write/step.ts";
import { mapItem } from "./map-item.ts";
import { mapProject, type ItemEntry, type ReadProject } from "./map-project.ts";
import { githubApiOf, readProject } from "./read.ts";

/** Projects by their ids at GitHub, and the user whose connection reads them. */
export const GitHubInput = z.object({
  projectIds: z.array(z.string()),
  userId: z.string().regex(/^\d+$/),
});

/** Imports projects (v2). Each is read to its end before anything of it is written. */
export const github = source(GitHubInput, async (context, { projectIds, userId }) => {
  const call = githubApiOf(context, BigInt(userId));
  const reason = "GitHub has no such project, or the connection may not read it.";
  for (const id of new Set(projectIds)) {
    await Staging.lend(minFreeBytes(context.deps.config), async (staging) => {
      const project = await readProject(context, call, id, staging);
      if (project === null) context.skip({ kind: "board", sourceId: id, reason });
      else await writeProject(context, project, staging);
    });
  }
});

async function writeProject(context: ImportContext, project: ReadProject, staging: Staging) {
  const board = mapProject(project, context.skip);
  const writer = await writeBoard(recordedWriter(context), board);
  const { read: query } = context.deps.db;
  const connected = await connectedPeople(query, context.row);
  const byLogin = new Map([...connected, ...(await mappedPeople(query, context.row))]);
  const read = async (entries: ItemEntry[]) =>
    (await staging.read(entries.map(({ at }) => at))).flatMap(
      (item) => mapItem(Item.parse(item), { ...project, byLogin }) ?? [],
    );
  const bytesOf = ({ at }: ItemEntry) => at.length;
  await writeBoardCards(writer, { lists: [...project.lists.values()], read, bytesOf });
}

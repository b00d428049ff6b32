import { z } from "zod";
import { Item } from "../../integrations/github/project-items.ts";
import { source } from "../job/sources.ts";
import { connectedPeople } from "../write/people.ts";
import { fieldsById } from "../write/source-custom-fields.ts";
import { importBoards } from "../write/staged-board.ts";
import { ItemRelations } from "./item-relations.ts";
import { mapItem } from "./map-item.ts";
import { mapProject } from "./map-project.ts";
import { githubApiOf, readProject } from "./read.ts";

/** Projects by their ids at GitHub, and the user whose connection reads them. */
const GitHubInput = z.object({
  projectIds: z.array(z.string()),
  userId: z.string().regex(/^\d+$/),
});

/** Imports projects (v2). */
export const github = source(GitHubInput, async (context, { projectIds, userId }) => {
  const call = githubApiOf(context, BigInt(userId));
  const reason = "GitHub has no such project, or the connection may not read it.";
  const relations = new ItemRelations(context.skip);
  await importBoards(context, projectIds, reason, async (id, staging) => {
    const project = await readProject(context, call, id, staging, relations);
    if (project === null) return null;
    const connected = await connectedPeople(context.deps.db.read, context.row);
    const board = mapProject(project, context.skip);
    const fields = fieldsById(board);
    return {
      board,
      connected,
      lists: [...project.lists.values()],
      toCard: ([item], members) =>
        mapItem(Item.parse(item), { ...project, fields, members, relations }),
    };
  });
  relations.reportOpen();
});

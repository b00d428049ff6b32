import type { Staging } from "../../../platform/storage/staging.ts";
import { createGraphqlClient, type GraphqlClient } from "../../integrations/github/graphql.ts";
import {
  itemPages,
  Project,
  projectQuery,
  type ProjectItem,
} from "../../integrations/github/project-items.ts";
import { githubToken } from "../../integrations/grant.ts";
import type { ImportContext } from "../job/context.ts";
import type { StagedCard } from "../write/staged-board.ts";
import type { ItemRelations } from "./item-relations.ts";
import { withRetries } from "../job/retry-policy.ts";
import {
  columnsOf,
  labelsOf,
  listOf,
  noStatus,
  notReturned,
  type ReadProject,
} from "./map-project.ts";

const responseBytes = 64 * 1024 * 1024;
const cutName = "The name was cut to 36 characters.";
const invisible =
  "The connection may not read it: its repository is private, or it was deleted. Connect again.";

/** Calls GitHub with the connection of a user; its token is renewed when it expires. */
export const githubApiOf =
  (context: ImportContext, userId: bigint): GraphqlClient =>
  (query, variables, shape, options) => {
    const limits = { bytes: responseBytes, signal: context.signal };
    const api = { apiUrl: context.deps.config.GITHUB_API_URL, limits };
    return withRetries(context, async () =>
      createGraphqlClient(api, await githubToken(context.deps, userId))(
        query,
        variables,
        shape,
        options,
      ),
    );
  };

/** Reads a project and stages its items; null when the user may not read it. */
export async function readProject(
  context: ImportContext,
  ask: GraphqlClient,
  id: string,
  staging: Staging,
  relations: ItemRelations,
): Promise<ReadProject | null> {
  const head = (await ask(projectQuery, { id }, Project))?.node ?? null;
  if (head === null) return null;
  const columns = columnsOf(head);
  const ids = [noStatus(head), ...columns.lists.map((list) => list.id)];
  const lists = new Map(ids.map((list): [string, StagedCard[]] => [list, []]));
  const project: ReadProject = { head, columns, lists, labels: new Map() };
  const itemIds = new Set<string>();
  for await (const nodes of itemPages(ask, id)) {
    const items = nodes.flatMap((item) => item ?? []);
    const count = nodes.length - items.length;
    if (count > 0) context.skip({ kind: "card", count, reason: notReturned });
    for (const item of items) {
      // An item that is moved during the import is on two pages.
      if (itemIds.has(item.id)) continue;
      itemIds.add(item.id);
      takeItem(context, project, item, staging);
      if ((item.content?.title ?? null) !== null) relations.take(item);
    }
    context.progress("reading", itemIds.size);
    await staging.flush();
    await context.flush();
  }
  relations.connect();
  return project;
}

/** Stages an item of a project and adds its labels; skips one that the token may not read. */
function takeItem(
  { skip }: ImportContext,
  { head, columns, lists, labels }: ReadProject,
  item: ProjectItem,
  staging: Staging,
) {
  if ((item.content?.title ?? null) === null)
    return skip({ kind: "card", sourceId: item.id, reason: invisible });
  lists.get(listOf(head, columns, item))?.push({ id: item.id, values: [staging.put(item)] });
  for (const label of labelsOf(head, item)) {
    const { publicId: sourceId, name } = label;
    if (labels.has(sourceId)) continue;
    labels.set(sourceId, label);
    if (!sourceId.endsWith(`/label/${name.toLowerCase()}`))
      skip({ kind: "label", sourceId, name, severity: "partial", reason: cutName });
  }
}

import type { z } from "zod";
import { badGateway } from "../../../platform/errors.ts";
import { asker } from "../../integrations/github/graphql.ts";
import { githubToken } from "../../integrations/grant.ts";
import { patiently } from "../retry-policy.ts";
import type { ImportRun } from "../context.ts";
import type { Handle, Staging } from "../staging.ts";
import { Items, itemsQuery, Project, projectQuery, type ProjectHead } from "./questions.ts";

/** An item that has been put aside. */
export type ItemEntry = { id: string; at: Handle };

/** Asks GitHub with the token of a user's connection, which is renewed whenever that is due. */
export type Ask = <T>(
  query: string,
  variables: Record<string, string | null>,
  shape: z.ZodType<T>,
) => Promise<T | null>;

type ItemsPage = NonNullable<z.infer<typeof Items>["node"]>["items"];

const answerBytes = 64 * 1024 * 1024;

/** Asks GitHub for a user, as often as it takes. */
export const asking =
  (run: ImportRun, userId: bigint): Ask =>
  (query, variables, shape) => {
    const api = { apiUrl: run.deps.config.GITHUB_API_URL, limits: { bytes: answerBytes } };
    return patiently(run, async () =>
      asker(api, await githubToken(run.deps, userId))(query, variables, shape),
    );
  };

/** Reads a project with all of its items, page by page; null when it is not there, or not for this user. */
export async function readProject(
  run: ImportRun,
  ask: Ask,
  id: string,
  staging: Staging,
): Promise<{ head: ProjectHead; items: ItemEntry[] } | null> {
  const head = (await ask(projectQuery, { id }, Project))?.node ?? null;
  if (head === null) return null;
  const items = new Map<string, ItemEntry>();
  const seen = new Set<string>();
  for (let after: string | null = null; ;) {
    const answer: z.infer<typeof Items> | null = await ask(itemsQuery, { id, after }, Items);
    const { nodes, pageInfo }: ItemsPage = answer?.node?.items ?? gone();
    for (const item of nodes ?? []) {
      // Whoever moves an item meanwhile shows it on two pages.
      if (item && !items.has(item.id)) items.set(item.id, { id: item.id, at: staging.put(item) });
    }
    await staging.settle();
    run.progress("reading", items.size);
    if (!pageInfo.hasNextPage) return { head, items: [...items.values()] };
    after = pageInfo.endCursor;
    if (after === null || seen.has(after)) throw badGateway("GitHub's pages lead nowhere.");
    seen.add(after);
  }
}

function gone(): never {
  throw badGateway("GitHub does not show the project any more.");
}

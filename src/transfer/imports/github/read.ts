import type { z } from "zod";
import { badGateway } from "../../../platform/errors.ts";
import { asker } from "../../integrations/github/graphql.ts";
import { githubToken } from "../../integrations/grant.ts";
import type { ImportContext } from "../job/context.ts";
import { withRetries } from "../job/retry-policy.ts";
import type { Handle, Staging } from "../../../platform/storage/staging.ts";
import {
  Items,
  itemsQuery,
  Project,
  projectQuery,
  type ProjectHead,
} from "../../integrations/github/project-items.ts";

/** A staged item. */
export type ItemEntry = { id: string; at: Handle };

/** Sends a GraphQL query to GitHub, with retries. */
export type Call = <T>(
  query: string,
  variables: Record<string, string | null>,
  shape: z.ZodType<T>,
) => Promise<T | null>;

type ItemsPage = NonNullable<z.infer<typeof Items>["node"]>["items"];

const responseBytes = 64 * 1024 * 1024;

/** Calls GitHub with the connection of a user; its token is renewed when it expires. */
export const apiOf =
  (context: ImportContext, userId: bigint): Call =>
  (query, variables, shape) => {
    const api = { apiUrl: context.deps.config.GITHUB_API_URL, limits: { bytes: responseBytes } };
    return withRetries(context, async () =>
      asker(api, await githubToken(context.deps, userId))(query, variables, shape),
    );
  };

/** Reads a project and stages its items; null when the user may not read it. */
export async function readProject(
  context: ImportContext,
  call: Call,
  id: string,
  staging: Staging,
): Promise<{ head: ProjectHead; items: ItemEntry[] } | null> {
  const head = (await call(projectQuery, { id }, Project))?.node ?? null;
  if (head === null) return null;
  const items = new Map<string, ItemEntry>();
  const seen = new Set<string>();
  for (let after: string | null = null; ;) {
    const answer: z.infer<typeof Items> | null = await call(itemsQuery, { id, after }, Items);
    const { nodes, pageInfo }: ItemsPage = answer?.node?.items ?? gone();
    for (const item of nodes ?? []) {
      // An item that is moved during the import is on two pages.
      if (item && !items.has(item.id)) items.set(item.id, { id: item.id, at: staging.put(item) });
    }
    await staging.flush();
    context.progress("reading", items.size);
    if (!pageInfo.hasNextPage) return { head, items: [...items.values()] };
    after = pageInfo.endCursor;
    if (after === null || seen.has(after))
      throw badGateway("provider_failed", "GitHub's pages repeat.");
    seen.add(after);
  }
}

function gone(): never {
  throw badGateway("provider_failed", "GitHub no longer returns the project.");
}

import { z } from "zod";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { badGateway } from "../../../platform/errors.ts";
import { accessDenied, type GitHubApi } from "./response.ts";
import { type GraphqlClient, createGraphqlClient } from "./graphql.ts";

/** A project of GitHub Projects v2: its node id (`PVT_…`) and its title. */
export type GitHubProject = { id: string; name: string };

type Page<T> = {
  nodes: (T | null)[] | null;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
};

const page = <T>(node: z.ZodType<T>): z.ZodType<Page<T>> =>
  z.object({
    nodes: z.array(node.nullable()).nullable(),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  });

const Projects = page(z.object({ id: z.string().min(1), title: z.string(), closed: z.boolean() }));
const Organization = z.object({ login: z.string(), projectsV2: Projects.nullable() });

export const OwnData = z.object({ viewer: z.object({ projectsV2: Projects.nullable() }) });
export const OrganizationsData = z.object({
  viewer: z.object({ organizations: page(Organization) }),
});
export const OrganizationData = z.object({ organization: Organization.nullable() });
declareResponses(import.meta.url, { OwnData, OrganizationsData, OrganizationData });

const fields = "nodes { id title closed } pageInfo { hasNextPage endCursor }";

const ownQuery = `query ($after: String) {
  viewer { projectsV2(first: 100, after: $after) { ${fields} } }
}`;

// Twenty at a time: a hundred organisations with a hundred projects each is a question that
// GitHub times out on.
const organizationsQuery = `query ($after: String) {
  viewer {
    organizations(first: 20, after: $after) {
      nodes { login projectsV2(first: 100) { ${fields} } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

const organizationQuery = `query ($login: String!, $after: String) {
  organization(login: $login) { login projectsV2(first: 100, after: $after) { ${fields} } }
}`;

/**
 * All projects of the token's user and of their organisations, each once, open ones before
 * closed ones. Organisations that
 * deny the token are left out. Throws 403 (token refused, scopes missing, everything denied),
 * 429 or 502.
 */
export async function listGitHubProjects(api: GitHubApi, token: string): Promise<GitHubProject[]> {
  const ask = createGraphqlClient(api, token);
  const ownProjects = await walk(async (after) => {
    const data = await ask(ownQuery, { after }, OwnData);
    return data?.viewer.projectsV2 ?? null;
  });
  const organizations = await walk(async (after) => {
    const data = await ask(organizationsQuery, { after }, OrganizationsData);
    return data?.viewer.organizations ?? null;
  });
  if (ownProjects === null && organizations === null) throw accessDenied();

  const projects = ownProjects ?? [];
  for (const { login, projectsV2 } of organizations ?? []) {
    projects.push(
      ...((await walk((after) => ofOrganization(ask, login, after), projectsV2)) ?? []),
    );
  }
  const unique = new Map(projects.map((project) => [project.id, project]));
  return [...unique.values()]
    .sort((a, b) => Number(a.closed) - Number(b.closed))
    .map(({ id, title }) => ({ id, name: title }));
}

async function ofOrganization(ask: GraphqlClient, login: string, after: string | null) {
  const data = await ask(organizationQuery, { login, after }, OrganizationData);
  return data?.organization?.projectsV2 ?? null;
}

// Gathers the nodes of all pages, from `first` when it is already there; null when even the
// first one is denied.
async function walk<T>(
  readPage: (after: string | null) => Promise<Page<T> | null>,
  first?: Page<T> | null,
): Promise<T[] | null> {
  let current = first === undefined ? await readPage(null) : first;
  if (current === null) return null;
  const nodes: T[] = [];
  const cursors = new Set<string>();
  while (current !== null) {
    for (const node of current.nodes ?? []) if (node !== null) nodes.push(node);
    const { hasNextPage, endCursor } = current.pageInfo;
    if (!hasNextPage) break;
    if (endCursor === null || cursors.has(endCursor)) {
      throw badGateway("provider_failed", "GitHub sent a page without a valid cursor.");
    }
    cursors.add(endCursor);
    current = await readPage(endCursor);
  }
  return nodes;
}

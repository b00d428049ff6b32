import { z } from "zod";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { badGateway } from "../../../platform/errors.ts";
import { UnknownField, type GraphqlClient } from "./graphql.ts";

const text = z.string().nullish().catch(null);
const FieldRef = z
  .object({ id: z.string().nullish().catch(null), name: text })
  .nullish()
  .catch(null);
const pageOf = <Node extends z.ZodType>(node: Node) =>
  z.object({
    nodes: z.array(node.nullish().catch(null)).nullish().catch([]),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  });
const nodesOf = <Node extends z.ZodType>(node: Node) =>
  z
    .object({
      totalCount: z.int().catch(0),
      nodes: z.array(node.nullish().catch(null)).nullish(),
    })
    .nullish()
    .catch(null);

const Field = z.object({
  id: z.string(),
  name: z.string(),
  dataType: text,
  options: z
    .array(z.object({ id: z.string(), name: text, color: text }))
    .nullish()
    .catch(null),
});
const View = z.object({
  layout: text,
  verticalGroupByFields: nodesOf(z.object({ id: z.string() })),
});

/** A project without its items. */
export const Project = z.object({
  node: z
    .object({
      id: z.string(),
      title: text,
      shortDescription: text,
      readme: text,
      closed: z.boolean().catch(false),
      closedAt: text,
      createdAt: text,
      fields: nodesOf(Field),
      views: nodesOf(View),
    })
    // GitHub answers the id of something else without any of the fields.
    .or(z.strictObject({}).transform(() => null))
    .nullable(),
});

/** The value of an item in a field of the project. */
const FieldValue = z.object({
  __typename: z.string(),
  optionId: text,
  name: text,
  date: text,
  text: text,
  number: z.number().nullish().catch(null),
  title: text,
  field: FieldRef,
});

const Content = z.object({
  __typename: z.string(),
  id: text,
  title: text,
  body: text,
  url: text,
  number: z.int().nullish().catch(null),
  state: text,
  createdAt: text,
  updatedAt: text,
  closedAt: text,
  mergedAt: text,
  repository: z.object({ nameWithOwner: text }).nullish().catch(null),
  milestone: z.object({ title: text, dueOn: text }).nullish().catch(null),
  assignees: nodesOf(z.object({ login: z.string(), name: text })),
  labels: nodesOf(z.object({ name: text, color: text })),
  comments: z.object({ totalCount: z.int() }).nullish().catch(null),
  parent: z.object({ id: text }).nullish().catch(null),
  blockedBy: nodesOf(z.object({ id: text })),
});

/** An item of a project; without content when the token may not read it. */
export const Item = z.object({
  id: z.string(),
  isArchived: z.boolean().catch(false),
  createdAt: text,
  updatedAt: text,
  fieldValues: nodesOf(FieldValue),
  content: Content.nullish().catch(null),
});

/** A page of a project's items. */
export const Items = z.object({ node: z.object({ items: pageOf(Item) }).nullable() });
declareResponses(import.meta.url, { Project, Items });

type Page = NonNullable<z.infer<typeof Items>["node"]>["items"];

/** One item of a project. */
export type ProjectItem = z.infer<typeof Item>;

/** A project without its items. */
export type ProjectHead = NonNullable<z.infer<typeof Project>["node"]>;

/** Reads a project with its fields and views. */
export const projectQuery = `query ($id: ID!) {
  node(id: $id) {
    ... on ProjectV2 {
      id title shortDescription readme closed closedAt createdAt
      fields(first: 100) { totalCount nodes {
        ... on ProjectV2Field { id name dataType }
        ... on ProjectV2IterationField { id name dataType }
        ... on ProjectV2SingleSelectField { id name dataType options { id name color } }
      } }
      views(first: 20) { nodes { layout verticalGroupByFields(first: 1) { nodes {
        ... on ProjectV2Field { id }
        ... on ProjectV2IterationField { id }
        ... on ProjectV2SingleSelectField { id }
      } } } }
    }
  }
}`;

const field = `field {
  ... on ProjectV2Field { id name }
  ... on ProjectV2IterationField { id name }
  ... on ProjectV2SingleSelectField { id name }
}`;
const people = `assignees(first: 20) { totalCount nodes { login name } }`;
const issue = `id title body url number state createdAt updatedAt closedAt repository { nameWithOwner }
  milestone { title dueOn } ${people}
  labels(first: 50) { totalCount nodes { name color } } comments { totalCount }`;

const pageSize = 50;

/** What issues are to others, which older Enterprise Servers do not know. */
const relations = `parent { id } blockedBy(first: 50) { totalCount nodes { id } }`;

/** Reads a page of the items of a project, in their order. */
const itemsQuery = (ofIssues: string) => `query ($id: ID!, $after: String) {
  node(id: $id) {
    ... on ProjectV2 {
      items(first: ${pageSize}, after: $after) {
        nodes {
          id isArchived createdAt updatedAt
          fieldValues(first: 100) { totalCount nodes {
            __typename
            ... on ProjectV2ItemFieldSingleSelectValue { optionId name ${field} }
            ... on ProjectV2ItemFieldDateValue { date ${field} }
            ... on ProjectV2ItemFieldTextValue { text ${field} }
            ... on ProjectV2ItemFieldNumberValue { number ${field} }
            ... on ProjectV2ItemFieldIterationValue { title ${field} }
          } }
          content {
            __typename
            ... on DraftIssue { title body createdAt updatedAt ${people} }
            ... on Issue { ${issue} ${ofIssues} }
            ... on PullRequest { ${issue} mergedAt }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

/** Reads the items of a project page by page. */
export async function* itemPages(ask: GraphqlClient, id: string) {
  const cursors = new Set<string | null>();
  let isKnown = true;
  const read = async (after: string | null) => {
    const mayLackFields = isKnown;
    const query = itemsQuery(isKnown ? relations : "");
    return (await ask(query, { id, after }, Items, { mayLackFields }))?.node?.items;
  };
  for (let after: string | null = null; ;) {
    const page: Page | undefined = await read(after).catch((error: unknown) => {
      if (!(error instanceof UnknownField)) throw error;
      isKnown = false;
      return read(after);
    });
    if (page === undefined)
      throw badGateway("provider_failed", "GitHub no longer returns the project.");
    const nodes = page.nodes ?? [];
    if (nodes.length > pageSize)
      throw badGateway("provider_failed", "GitHub sent more items than it was asked for.");
    yield nodes;
    if (!page.pageInfo.hasNextPage) return;
    after = page.pageInfo.endCursor;
    if (after === null || cursors.has(after))
      throw badGateway("provider_failed", "GitHub sent the same page twice.");
    cursors.add(after);
  }
}

import type { FakeProject } from "./github-account.ts";
import { connection, type Node } from "./github-graphql.ts";

/** An item of a project. */
export type FakeItem = {
  id: string;
  kind: "Issue" | "PullRequest" | "DraftIssue";
  title: string;
  body?: string;
  status?: string;
  state?: "OPEN" | "CLOSED" | "MERGED";
  archived?: boolean;
  closedAt?: string | null;
  mergedAt?: string | null;
  /** Visible only to a token with the scope `repo`. */
  isPrivate?: boolean;
  assignees?: string[];
  labels?: { name: string; color: string }[];
  milestone?: { title: string; dueOn: string | null };
  comments?: number;
  /** The ids of items whose issues are its parent, and block it. */
  parent?: string;
  blockedBy?: string[];
  /** Whether its server does not know these. */
  isOld?: boolean;
  /** Whether it has a value of a type that the import does not read. */
  hasPullRequests?: boolean;
  /** Values of the project's other fields: a day for dates, a number, or text. */
  values?: Record<string, string | number>;
};

/** A project; `single` has its single-select fields with their options. */
export type Described = {
  id: string;
  title: string;
  shortDescription?: string;
  readme?: string;
  closed?: boolean;
  closedAt?: string;
  single: Record<string, string[]>;
  /** Other fields; their types follow from the first values, unless they are iterations. */
  fields?: string[];
  iterations?: string[];
  /** The field by which its board has columns. */
  columns?: string;
  items: FakeItem[];
};

const dateLike = /^\d{4}-\d\d-\d\d$/;
/** GitHub's colours of options. */
const colours = ["GRAY", "BLUE", "GREEN", "YELLOW", "ORANGE", "RED", "PINK", "PURPLE"];

function typeOf(value: string | number | undefined) {
  if (typeof value === "number") return "NUMBER";
  return dateLike.test(value ?? "") ? "DATE" : "TEXT";
}

/** A project with its fields, views and items, in the pages of GitHub. */
export function describeProject(described: Described): FakeProject {
  const { id, title, closed = false } = described;
  return { id, title, closed, node: (scopes) => projectNode(described, scopes) };
}

function projectNode(
  { single, fields = [], iterations = [], items, columns, ...project }: Described,
  scopes: string[],
): Node {
  const fieldId = (name: string) => `PVTF_${name}`;
  // Ids of options are unique in their field only.
  const optionId = (nth: number) => nth.toString(16).padStart(8, "f");
  const nodes: Node[] = [
    { __typename: "ProjectV2Field", id: fieldId("Title"), name: "Title", dataType: "TITLE" },
    { __typename: "ProjectV2Field", id: fieldId("Labels"), name: "Labels", dataType: "LABELS" },
    ...fields.map((name): Node => {
      const first = items.flatMap(({ values }) => values?.[name] ?? [])[0];
      const dataType = typeOf(first);
      return { __typename: "ProjectV2Field", id: fieldId(name), name, dataType };
    }),
    ...iterations.map((name): Node => ({
      __typename: "ProjectV2IterationField",
      id: fieldId(name),
      name,
      dataType: "ITERATION",
    })),
    ...Object.entries(single).map(([name, options]): Node => ({
      __typename: "ProjectV2SingleSelectField",
      id: fieldId(name),
      name,
      dataType: "SINGLE_SELECT",
      options: options.map((option, nth): Node => {
        const optionOf = {
          id: optionId(nth),
          name: option,
          color: colours[nth % 8],
          description: "",
        };
        return { __typename: "ProjectV2SingleSelectFieldOption", ...optionOf };
      }),
    })),
  ];
  const grouped = nodes.filter(({ name }) => name === columns);
  const view: Node = {
    __typename: "ProjectV2View",
    layout: "BOARD_LAYOUT",
    verticalGroupByFields: connection("verticalGroupByFields", grouped),
  };
  const fieldOf = (name: string) => nodes.find((node) => node["name"] === name) ?? null;
  const valueOf = (name: string, value: string | number): Node => {
    const field = fieldOf(name);
    if (single[name] !== undefined) {
      const nth = single[name].indexOf(String(value));
      const chosen = { optionId: optionId(nth), name: value };
      return { __typename: "ProjectV2ItemFieldSingleSelectValue", ...chosen, field };
    }
    if (iterations.includes(name)) {
      const iteration = {
        title: value,
        iterationId: "0f0e0d0c",
        startDate: "2026-03-02",
        duration: 14,
      };
      return { __typename: "ProjectV2ItemFieldIterationValue", ...iteration, field };
    }
    if (typeof value === "number") {
      return { __typename: "ProjectV2ItemFieldNumberValue", number: value, field };
    }
    return dateLike.test(value)
      ? { __typename: "ProjectV2ItemFieldDateValue", date: value, field }
      : { __typename: "ProjectV2ItemFieldTextValue", text: value, field };
  };
  const itemNode = (item: FakeItem, index: number): Node => ({
    __typename: "ProjectV2Item",
    id: item.id,
    isArchived: item.archived ?? false,
    createdAt: "2025-01-01T00:00:00Z",
    updatedAt: "2025-03-01T00:00:00Z",
    fieldValues: connection("fieldValues", [
      { __typename: "ProjectV2ItemFieldRepositoryValue" },
      ...(item.hasPullRequests ? [{ __typename: "ProjectV2ItemFieldPullRequestValue" }] : []),
      valueOf("Title", item.title),
      ...Object.entries({ ...(item.status && { Status: item.status }), ...item.values }).map(
        ([name, value]) => valueOf(name, value),
      ),
    ]),
    content: item.isPrivate && !scopes.includes("repo") ? null : contentNode(item, index + 1),
  });
  return {
    __typename: "ProjectV2",
    shortDescription: null,
    readme: null,
    closed: false,
    createdAt: "2025-01-01T00:00:00Z",
    closedAt: null,
    ...project,
    fields: connection("fields", nodes),
    views: connection("views", [view]),
    items: connection("items", items.map(itemNode)),
  };
}

function contentNode(item: FakeItem, number: number): Node {
  const { kind, title, body = "", state = "OPEN", milestone } = item;
  const { closedAt = "2021-05-06T07:08:09Z", mergedAt = closedAt } = item;
  const assignees = (item.assignees ?? []).map((login): Node => ({
    __typename: "User",
    login,
    name: null,
  }));
  const times = { createdAt: "2025-02-03T04:05:06Z", updatedAt: "2025-04-05T06:07:08Z" };
  const bare = { __typename: kind, id: `I_${item.id}`, title, body, ...times };
  const issueOf = (id: string): Node => ({ __typename: "Issue", id: `I_${id}` });
  const related = {
    parent: item.parent === undefined ? null : issueOf(item.parent),
    blockedBy: connection("blockedBy", (item.blockedBy ?? []).map(issueOf)),
  };
  if (kind === "DraftIssue") return { ...bare, assignees: connection("assignees", assignees) };
  const path = kind === "Issue" ? "issues" : "pull";
  return {
    ...bare,
    ...(kind === "Issue" && item.isOld !== true ? related : {}),
    number,
    state,
    closedAt: state === "OPEN" ? null : closedAt,
    ...(kind === "Issue" ? {} : { mergedAt: state === "MERGED" ? mergedAt : null }),
    url: `https://github.com/octocat/hello/${path}/${number}`,
    repository: { __typename: "Repository", nameWithOwner: "octocat/hello" },
    milestone: milestone === undefined ? null : { __typename: "Milestone", ...milestone },
    assignees: connection("assignees", assignees),
    labels: connection(
      "labels",
      (item.labels ?? []).map((label): Node => ({ __typename: "Label", ...label })),
    ),
    comments: { __typename: "IssueCommentConnection", totalCount: item.comments ?? 0 },
  };
}

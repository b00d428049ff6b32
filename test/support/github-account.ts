import { connection, FieldError, type Node, QueryError } from "./github-graphql.ts";

/** A project of Projects v2; `node` is the answer to a query by its id. */
export type FakeProject = {
  id: string;
  title: string;
  closed?: boolean;
  node?: (scopes: string[]) => Node;
};

/**
 * An organization of the account; `denied` hides its projects by SAML or by a ban of OAuth apps.
 */
export type FakeOrganization = {
  login: string;
  projects: FakeProject[];
  denied?: "saml" | "restricted";
};

/** The signed-in account; `denied` hides its projects from a GitHub App without the permission. */
export type FakeAccount = {
  login: string;
  projects: FakeProject[];
  denied?: boolean;
  organizations: FakeOrganization[];
};

/** The root of GraphQL for one account and the scopes of a token. */
export function rootOf(account: FakeAccount, scopes: string[]): Node {
  const needs = (scope: string, field: string) => {
    if (scopes.includes(scope)) return;
    throw new QueryError(
      "INSUFFICIENT_SCOPES",
      `Your token has not been granted the required scopes to execute this query. The '${field}' field requires one of the following scopes: ['${scope}'], but your token has only been granted the: ['${scopes.join("', '")}'] scopes. Please modify your token's scopes at: https://github.com/settings/tokens.`,
    );
  };
  const projectsOf = (projects: FakeProject[], denial: FieldError | undefined) => {
    const page = connection("projectsV2", projects.map(projectNode));
    return (args: { first?: number; after?: string | null }) => {
      needs("read:project", "projectsV2");
      if (denial !== undefined) throw denial;
      return page(args);
    };
  };
  const organizationNode = ({ login, projects, denied }: FakeOrganization): Node => ({
    __typename: "Organization",
    id: `O_${login}`,
    name: login,
    login: () => {
      needs("read:org", "login");
      return login;
    },
    projectsV2: projectsOf(projects, denied && denials[denied](login)),
  });
  const organizations = account.organizations.map(organizationNode);
  return {
    __typename: "Query",
    viewer: {
      __typename: "User",
      login: account.login,
      projectsV2: projectsOf(account.projects, account.denied ? denials.app() : undefined),
      organizations: connection("organizations", organizations),
    },
    node: ({ id }: { id: string }) => {
      needs("read:project", "node");
      const all = [...account.projects, ...account.organizations.flatMap((one) => one.projects)];
      const found = all.find((one) => one.id === id);
      if (found?.node !== undefined) return found.node(scopes);
      throw new FieldError(
        "NOT_FOUND",
        `Could not resolve to a node with the global id of '${id}'`,
      );
    },
    organization: ({ login }: { login: string }) => {
      const index = account.organizations.findIndex((each) => each.login === login);
      if (index >= 0) return organizations[index];
      throw new FieldError(
        "NOT_FOUND",
        `Could not resolve to an Organization with the login of '${login}'.`,
      );
    },
  };
}

const projectNode = ({ id, title, closed = false }: FakeProject, index: number): Node => ({
  __typename: "ProjectV2",
  id,
  title,
  closed,
  number: index + 1,
  public: false,
  template: false,
});

const denials = {
  saml: () =>
    new FieldError(
      "FORBIDDEN",
      "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.",
      { saml_failure: true },
    ),
  restricted: (login: string) =>
    new FieldError(
      "FORBIDDEN",
      `Although you appear to have the correct authorization credentials, the \`${login}\` organization has enabled OAuth App access restrictions, meaning that data access to third-parties is limited.`,
    ),
  app: () => new FieldError("FORBIDDEN", "Resource not accessible by integration"),
};

import { mcpPaths } from "./mcp-paths.ts";

/** What a grant lets an app do, as OAuth names it. */
export const scopes = { read: "boards:read", write: "boards:write" } as const;

/** All scopes, in the order in which they are shown. */
export const allScopes = Object.values(scopes);

/** The scopes of a grant, as OAuth writes them. */
export const scopeText = (readOnly: boolean): string =>
  (readOnly ? [scopes.read] : allScopes).join(" ");

/** The paths whose addresses tokens can be for: the REST API and tRPC, and the tools for agents. */
export const resourcePaths = ["", ...Object.values(mcpPaths)] as const;

/** A path whose address tokens can be for. */
export type ResourcePath = (typeof resourcePaths)[number];

/** Whether all that a resource offers only reads. */
export const onlyReads = (path: ResourcePath): boolean => path === mcpPaths.readOnly;

/** The resource that a path of a request belongs to. */
export const resourcePathOf = (path: string): ResourcePath =>
  resourcePaths.find((one) => one !== "" && one === path) ?? "";
